"""Starts judge: the only role that asks generative models, or the local rules in their place."""

from services.judge import documents_mounting, online, summaries_model, summaries_rules
from services.judge.agent import Agent
from services.judge.contradictions import Contradictions
from services.judge.contradictions_model import ModelJudge
from services.judge.contradictions_pair import MeaningJudge
from services.judge.contradictions_rules import RuleJudge
from services.judge.conversation import CONVERSING, Conversation, LocalConverser
from services.judge.evidence import require_promotion
from services.judge.extraction import Extraction, Extractor
from services.judge.extraction_model import ModelExtractor
from services.judge.extraction_rules import RuleExtractor
from services.judge.local_narrator import NAME, LocalNarrator
from services.judge.models import EXTRACTION, LOCAL_EXTRACTOR, LOCAL_JUDGE, MEANING, NARRATION, RERANK, Models, Role
from services.judge.narration import Narration
from services.judge.narrator import ModelNarrator
from services.judge.rerank import Rerank
from shared.rpc.server import Host, run
from shared.stemmer import stemmer


async def mount(host: Host) -> None:
    """Serve with the configured models, or with the local rules."""
    settings = host.settings
    judge: MeaningJudge
    extractor: Extractor
    if settings.judges_online:
        require_promotion(settings)
        chat, meaning = online.chat(settings, settings.chat_model), online.chat(settings, settings.judge_model)
        taking_out = online.chat(settings, settings.extract_model)
        for model in (chat, meaning, taking_out):
            host.close_with(model.close)
        judge, extractor = ModelJudge(meaning), ModelExtractor(taking_out)
        roles = [Role(name, chat.name, local=False, ready=chat.ready) for name in (NARRATION, RERANK)]
        roles.append(Role(MEANING, meaning.name, False, meaning.ready, judge.prompt_version))
        roles.append(Role(EXTRACTION, taking_out.name, False, taking_out.ready, extractor.extract_version))
        host.add(Rerank(chat, timeout_seconds=settings.rerank_timeout_seconds))
        host.add(summaries_model.service(taking_out))
        host.add(Narration(ModelNarrator(chat)))
        host.add(Conversation(ModelNarrator(chat, CONVERSING)))
        host.add(Agent(chat))
    else:
        host.local_stand_in("judge")
        judge, extractor = RuleJudge(), RuleExtractor()
        roles = [Role(NARRATION, NAME), LOCAL_JUDGE, LOCAL_EXTRACTOR]
        host.add(Rerank(None, timeout_seconds=settings.rerank_timeout_seconds))
        host.add(summaries_rules.service())
        host.add(Narration(LocalNarrator(stemmer())))
        host.add(Conversation(LocalConverser(LocalNarrator(stemmer()))))
        host.add(Agent(None))
    timeout_seconds, concurrent_pairs = settings.judge_timeout_seconds, settings.judge_concurrent_pairs
    host.add(Contradictions(judge, timeout_seconds=timeout_seconds, concurrent_pairs=concurrent_pairs))
    host.add(Extraction(extractor))
    host.add(documents_mounting.service(host))
    host.add(Models(roles))


if __name__ == "__main__":
    run("judge", mount)

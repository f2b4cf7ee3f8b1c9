// Load on a running Candor through its HTTP API, with answers that are checked: `python -m tests.load PROFILE` starts it.
//
// Rules: what is stored is planted by the runner (tests/load/planting.py) and known by arithmetic: invoice n is of n * 10 euros,
// and every tenth has a second, later sum of n * 10 + 7. An iteration asks for one invoice and must get it first, with its
// conflict or without. Addresses and keys come from the environment; nothing is written unless WRITES is set.
// The profile `ramp` has the arrivals that the reference published (0 -> 1 -> 2 -> 2 -> 0 a second).
import http from "k6/http";
import { check } from "k6";

const URL = __ENV.CANDOR_URL;
const INVOICES = Number(__ENV.INVOICES);
const HEADERS = { headers: { "Content-Type": "application/json", Authorization: `Bearer ${__ENV.CANDOR_KEY}` } };
const CONTESTED_EVERY = 10;
const AUDIT_SHARE = 0.02;
const COUNT_SHARE = 0.08;
const WRITE_SHARE = __ENV.WRITES ? 0.1 : 0;
const SOAK = __ENV.SOAK_DURATION || "30m";

const arrivals = (startRate, stages, maxVUs) => ({
  executor: "ramping-arrival-rate", startRate, timeUnit: "1s", preAllocatedVUs: Math.min(5, maxVUs), maxVUs, stages,
});
const to = (target, duration) => ({ target, duration });
const PROFILES = {
  smoke: { executor: "constant-vus", vus: 1, duration: "8s" },
  ramp: arrivals(0, [to(1, "45s"), to(2, "60s"), to(2, "60s"), to(0, "45s")], 50),
  saturation: arrivals(10, [to(10, "10s"), to(300, "120s"), to(300, "20s")], 64),
  soak: { executor: "constant-arrival-rate", rate: Number(__ENV.SOAK_RATE || 20), timeUnit: "1s", duration: SOAK, preAllocatedVUs: 8, maxVUs: 64 },
  spike: arrivals(5, [to(5, "15s"), to(100, "2s"), to(100, "20s"), to(5, "2s"), to(5, "20s")], 64),
};
// Units: milliseconds. Past saturation the queue decides, so there only errors and answers are held to a threshold.
const P95 = { smoke: 500, ramp: 250, saturation: 60000, soak: 250, spike: 2000 };
const PROFILE = __ENV.PROFILE;

export const options = {
  scenarios: { [PROFILE]: PROFILES[PROFILE] },
  thresholds: {
    "http_req_duration{call:recall}": [`p(95)<${P95[PROFILE]}`],
    http_req_failed: ["rate<0.01"],
    checks: ["rate>0.99"],
  },
  summaryTrendStats: ["med", "p(95)", "p(99)", "max"],
  discardResponseBodies: false,
};

// A step that is coprime to the number of invoices visits each of them.
const nth = () => 1 + ((__VU * 7919 + __ITER * 104729) % INVOICES);
const share = () => ((__VU * 31 + __ITER * 17) % 100) / 100;
const tagged = (call) => Object.assign({ tags: { call } }, HEADERS);

function recall(n) {
  const answer = http.post(`${URL}/v1/recall`, JSON.stringify({ query: `what do we owe on invoice INV-${n}?`, limit: 5 }), tagged("recall"));
  const hit = answer.status === 200 ? (answer.json("hits") || [])[0] : undefined;
  const contested = n % CONTESTED_EVERY === 0;
  check(answer, {
    "recall answers": (r) => r.status === 200,
    "the invoice asked for comes first": () => hit !== undefined && hit.memory.record === `INV-${n}`,
    "its conflict is told": () => hit !== undefined && (answer.json("conflicts") || []).some((c) => c.subject === `INV-${n}`) === contested,
  });
}

function count() {
  check(http.get(`${URL}/v1/memories:count`, tagged("count")), { "count answers": (r) => r.status === 200 && Number(r.json("count")) >= INVOICES });
}

function audit(n) {
  const company = `Load ${n % CONTESTED_EVERY}`;
  const answer = http.post(`${URL}/consistency`, JSON.stringify({ company }), tagged("audit"));
  check(answer, { "the audit finds what is planted": (r) => r.status === 200 && r.json("ok") === (n % CONTESTED_EVERY !== 0) });
}

function write(n) {
  const body = { kind: "note", content: `Load ${__VU}/${__ITER} looked at invoice INV-${n}.`, company: "Load notes" };
  check(http.post(`${URL}/v1/memories`, JSON.stringify(body), tagged("write")), { "a write is kept": (r) => r.status === 200 });
}

export default function () {
  const n = nth();
  const turn = share();
  if (turn < AUDIT_SHARE) audit(n);
  else if (turn < AUDIT_SHARE + COUNT_SHARE) count();
  else if (turn < AUDIT_SHARE + COUNT_SHARE + WRITE_SHARE) write(n);
  else recall(n);
}

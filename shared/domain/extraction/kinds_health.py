"""Medicines, allergens and conditions, for kinds.py. Members are separated by ";". Source: general knowledge."""

DRUG = """
penicillin; amoxicillin; ibuprofen; codeine; aspirin; morphine; sulfonamides; sulfa; sulfa drugs; paracetamol;
acetaminophen; naproxen; diclofenac; tramadol; oxycodone; levothyroxine; metformin; warfarin; lisinopril;
sertraline; insulin; ramipril; enalapril; losartan; valsartan; amlodipine; bisoprolol; metoprolol; propranolol;
atenolol; atorvastatin; simvastatin; rosuvastatin; statins; omeprazole; pantoprazole; esomeprazole; fluoxetine;
citalopram; escitalopram; paroxetine; venlafaxine; duloxetine; bupropion; mirtazapine; lithium; lamotrigine;
valproate; carbamazepine; levetiracetam; gabapentin; pregabalin; diazepam; lorazepam; alprazolam; zolpidem;
methylphenidate; ritalin; adderall; concerta; prednisone; prednisolone; cortisone; hydrocortisone; methotrexate;
hydroxychloroquine; azathioprine; adalimumab; humira; salbutamol; albuterol; ventolin; montelukast; cetirizine;
loratadine; fexofenadine; antihistamines; apixaban; rivaroxaban; clopidogrel; heparin; furosemide; spironolactone;
hydrochlorothiazide; digoxin; tamoxifen; letrozole; anastrozole; finasteride; tamsulosin; sumatriptan; topiramate;
ondansetron; doxycycline; ciprofloxacin; azithromycin; erythromycin; clarithromycin; cephalosporins; cefalexin;
vancomycin; latanoprost; semaglutide; ozempic; liraglutide; gliclazide; sitagliptin; empagliflozin; dapagliflozin;
allopurinol; colchicine; vitamin d; iron tablets; the pill; birth control; blood thinners; beta blockers;
antidepressants; novocaine; lidocaine; iodine; contrast dye
"""

ALLERGEN = """
peanut; peanuts; nuts; tree nuts; shellfish; sesame; walnut; walnuts; kiwi; mustard; celery; cashew; cashews;
almond; almonds; hazelnut; hazelnuts; pistachio; pistachios; pecan; pecans; brazil nuts; milk; dairy; lactose;
eggs; egg; wheat; gluten; soy; soya; fish; shrimp; prawns; crab; lobster; mussels; oysters; squid; lupin;
sulphites; sulfites; strawberries; strawberry; peach; peaches; apples; apple; banana; bananas; avocado; mango;
tomatoes; corn; latex; nickel; wasp stings; wasp sting; wasps; wasp; bee stings; bee sting; bees; bee venom; horse
hair; horses; lanolin; pollen; birch pollen; grass pollen; ragweed; dust; dust mites; mould; mold; cats; cat hair;
dogs; dog hair; pet dander; feathers; wool; perfume; fragrance; plasters; adhesive; sunscreen; bleach;
formaldehyde; chlorine; rubber; cobalt; hair dye; poison ivy; mosquito bites
"""

CONDITION = """
epilepsy; asthma; haemophilia; hemophilia; narcolepsy; diabetes; type 1 diabetes; type 2 diabetes; celiac disease;
coeliac disease; crohn's; crohn's disease; ulcerative colitis; ibs; lupus; multiple sclerosis; ms; parkinson's;
migraine; migraines; hypertension; high blood pressure; low blood pressure; arrhythmia; atrial fibrillation; heart
disease; a heart condition; heart condition; heart failure; angina; copd; emphysema; sleep apnea; sleep apnoea;
insomnia; adhd; add; autism; dyslexia; dyspraxia; ocd; ptsd; bipolar disorder; depression; anxiety; schizophrenia;
hypothyroidism; hyperthyroidism; hashimoto's; graves' disease; anaemia; anemia; sickle cell disease; sickle cell
anaemia; thalassemia; arthritis; rheumatoid arthritis; osteoporosis; fibromyalgia; gout; psoriasis; eczema;
rosacea; vitiligo; endometriosis; pcos; kidney disease; hepatitis; hepatitis b; hepatitis c; hiv; cystic fibrosis;
glaucoma; cataracts; macular degeneration; tinnitus; vertigo; meniere's disease; phenylketonuria; pku; von
willebrand disease; a pacemaker; pacemaker; favism; g6pd deficiency; porphyria; long covid; me/cfs; scoliosis;
raynaud's; marfan syndrome; ehlers-danlos syndrome; tourette's; colour blindness; color blindness
"""

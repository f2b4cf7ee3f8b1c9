"""Drinks, dishes and diets, for kinds.py. Members are separated by ";". Source: general knowledge."""

DRINK = """
flat white; cortado; espresso; double espresso; ristretto; macchiato; latte macchiato; americano; lungo; mocha;
cappuccino; latte; oat latte; oat milk latte; iced latte; iced coffee; cold brew; filter coffee; black coffee;
coffee; decaf; instant coffee; pour-over; drip coffee; cafe au lait; café au lait; galao; melange; affogato; chai;
masala chai; chai latte; tea; black tea; green tea; white tea; oolong tea; oolong; matcha; matcha latte; rooibos;
earl grey; english breakfast; darjeeling; assam; jasmine tea; mint tea; peppermint tea; chamomile tea; chamomile;
herbal tea; ginger tea; fruit tea; iced tea; bubble tea; yerba mate; mate; mate tea; hot chocolate; cocoa;
kombucha; kefir; lassi; lemonade; orange juice; apple juice; tomato juice; smoothie; milkshake; cola; coke; diet
coke; ginger ale; ginger beer; root beer; tonic water; sparkling water; mineral water; soda water; club mate;
energy drink; beer; lager; stout; pilsner; ale; ipa; cider; wine; red wine; white wine; prosecco; champagne;
whisky; whiskey; gin; gin and tonic; negroni; aperol spritz; spritz; martini; mojito; margarita; rum; vodka; sake;
soju; horchata; hibiscus tea; barley tea; sencha; hojicha; genmaicha; pu-erh; pu-erh tea; turkish coffee; greek
frappe; doppio; gibraltar; piccolo
"""

DIET = """
vegetarian; vegan; pescatarian; pescetarian; flexitarian; lacto-vegetarian; ovo-vegetarian; fruitarian; keto;
ketogenic; paleo; low-carb; low carb; gluten-free; gluten free; dairy-free; dairy free; lactose-free; lactose
free; sugar-free; halal; kosher; raw vegan; carnivore; macrobiotic; mediterranean; low-fodmap; low fodmap;
low-sodium; low-fat; plant-based; plant based; omnivore
"""

DISH = """
pad thai; shakshuka; lasagne; lasagna; pierogi; bibimbap; moussaka; gnocchi; paella; jollof; jollof rice; goulash;
pizza; pasta; carbonara; spaghetti; spaghetti carbonara; spaghetti bolognese; bolognese; ravioli; risotto; ramen;
udon; soba; sushi; sashimi; tempura; okonomiyaki; takoyaki; katsu curry; pho; banh mi; bun cha; curry; green
curry; red curry; massaman curry; butter chicken; tikka masala; chicken tikka masala; biryani; dal; dhal; palak
paneer; dosa; samosa; naan; falafel; hummus; tabbouleh; kebab; doner; shawarma; gyros; souvlaki; dolma; borek;
baklava; couscous; tagine; harira; injera; fufu; egusi; bunny chow; bobotie; tacos; taco; burrito; burritos;
enchiladas; quesadilla; tamales; mole; pozole; ceviche; empanadas; arepas; feijoada; asado; poutine; burger;
cheeseburger; hamburger; hot dog; fried chicken; mac and cheese; meatloaf; pancakes; waffles; french toast;
omelette; quiche; ratatouille; bouillabaisse; cassoulet; coq au vin; boeuf bourguignon; croissant; fondue;
raclette; rosti; schnitzel; bratwurst; currywurst; sauerbraten; spaetzle; maultaschen; knodel; dumplings; dim sum;
gyoza; jiaozi; xiaolongbao; hot pot; mapo tofu; kung pao chicken; peking duck; fried rice; chow mein; congee;
kimchi; kimchi jjigae; tteokbokki; japchae; bulgogi; samgyeopsal; laksa; nasi goreng; satay; rendang; gado gado;
adobo; sinigang; lumpia; som tam; tom yum; tom kha; larb; fish and chips; shepherd's pie; cottage pie; roast beef;
sunday roast; bangers and mash; haggis; stew; irish stew; chili; chilli; chili con carne; gumbo; jambalaya;
borscht; pelmeni; stroganoff; beef stroganoff; blini; khachapuri; khinkali; plov; manti; pirozhki; bigos; zurek;
kaiserschmarrn; tiramisu; cheesecake; apple pie; stroopwafel; bitterballen; stamppot; waterzooi; moules frites;
tortilla; patatas bravas; gazpacho; croquetas; fabada; bacalhau; caldo verde; francesinha; pastel de nata; cacio e
pepe; amatriciana; parmigiana; ossobuco; minestrone; pesto; panzanella; arancini; caponata; salad; caesar salad;
soup; steak; ribs; brisket; pulled pork; lobster roll; clam chowder; grilled cheese; poke; poke bowl; buddha bowl;
smorrebrod; meatballs; gravlax; karjalanpiirakka; kottbullar; menemen; lahmacun; pide; iskender; kofta; koshari;
ful; fattoush; mansaf; kibbeh; maqluba
"""

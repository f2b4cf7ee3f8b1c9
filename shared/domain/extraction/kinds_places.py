"""Towns and cities, for kinds.py: an aid, no condition. Members are separated by ";". Source: general knowledge."""

CITY = """
London; Birmingham; Manchester; Liverpool; Leeds; Sheffield; Bristol; Newcastle; Nottingham; Leicester;
Cambridge; Oxford; York; Brighton; Southampton; Portsmouth; Plymouth; Exeter; Norwich; Coventry; Hull; Derby;
Cardiff; Swansea; Edinburgh; Glasgow; Aberdeen; Dundee; Inverness; Belfast; Derry; Dublin; Cork; Galway;
Limerick; Waterford; Paris; Lyon; Marseille; Toulouse; Nantes; Strasbourg; Montpellier; Bordeaux; Lille; Rennes;
Reims; Grenoble; Dijon; Angers; Nîmes; Rouen; Caen; Metz; Orléans; Avignon; Annecy; Brussels; Antwerp; Ghent;
Bruges; Leuven; Liège; Namur; Mons; Charleroi; Mechelen; Ostend; Amsterdam; Rotterdam; The Hague; Utrecht;
Eindhoven; Groningen; Tilburg; Breda; Nijmegen; Haarlem; Arnhem; Maastricht; Leiden; Delft; Zwolle; Luxembourg;
Berlin; Hamburg; Munich; Cologne; Frankfurt; Stuttgart; Düsseldorf; Dortmund; Essen; Leipzig; Bremen; Dresden;
Hanover; Nuremberg; Duisburg; Bochum; Wuppertal; Bielefeld; Bonn; Münster; Karlsruhe; Mannheim; Augsburg;
Wiesbaden; Kiel; Lübeck; Freiburg; Mainz; Erfurt; Rostock; Kassel; Potsdam; Heidelberg; Regensburg; Würzburg;
Göttingen; Jena; Weimar; Konstanz; Tübingen; Aachen; Magdeburg; Chemnitz; Vienna; Graz; Linz; Salzburg;
Innsbruck; Klagenfurt; Zurich; Zürich; Geneva; Basel; Bern; Lausanne; Lucerne; Winterthur; St Gallen; Lugano;
Copenhagen; Aarhus; Odense; Aalborg; Esbjerg; Stockholm; Gothenburg; Malmö; Malmo; Uppsala; Lund; Västerås;
Örebro; Linköping; Umeå; Oslo; Bergen; Trondheim; Stavanger; Tromsø; Drammen; Helsinki; Espoo; Tampere; Turku;
Oulu; Reykjavik; Tallinn; Tartu; Riga; Vilnius; Kaunas; Warsaw; Kraków; Krakow; Łódź; Wrocław; Wroclaw; Poznań;
Poznan; Gdańsk; Gdansk; Szczecin; Lublin; Katowice; Białystok; Prague; Brno; Ostrava; Plzeň; Olomouc;
Bratislava; Košice; Budapest; Debrecen; Szeged; Pécs; Bucharest; Cluj; Cluj-Napoca; Timișoara; Iași; Brașov;
Plovdiv; Varna; Belgrade; Novi Sad; Zagreb; Rijeka; Zadar; Dubrovnik; Ljubljana; Maribor; Sarajevo; Skopje;
Tirana; Pristina; Podgorica; Athens; Thessaloniki; Patras; Heraklion; Nicosia; Limassol; Istanbul; Ankara;
Izmir; Bursa; Antalya; Lisbon; Porto; Braga; Coimbra; Faro; Aveiro; Setúbal; Madrid; Barcelona; Valencia;
Seville; Zaragoza; Málaga; Malaga; Bilbao; Granada; Alicante; Córdoba; Valladolid; Vigo; Gijón; San Sebastián;
Santander; Salamanca; Palma; Pamplona; Cádiz; Rome; Milan; Naples; Turin; Palermo; Genoa; Bologna; Bari;
Catania; Venice; Verona; Trieste; Padua; Brescia; Parma; Modena; Pisa; Siena; Perugia; Ravenna; Cagliari;
Trento; Bolzano; Bergamo; Valletta; Monaco; Moscow; Saint Petersburg; St Petersburg; Novosibirsk; Kazan; Kyiv;
Lviv; Odesa; Kharkiv; Dnipro; Minsk; Chișinău; Tbilisi; Yerevan; Baku; Almaty; Astana; Tashkent; Samarkand;
Tehran; Baghdad; Beirut; Damascus; Amman; Jerusalem; Tel Aviv; Haifa; Cairo; Alexandria; Tunis; Algiers;
Casablanca; Rabat; Marrakesh; Fez; Tangier; Dakar; Accra; Kumasi; Lagos; Abuja; Ibadan; Nairobi; Mombasa;
Kampala; Kigali; Addis Ababa; Dar es Salaam; Lusaka; Harare; Johannesburg; Pretoria; Cape Town; Durban;
Windhoek; Maputo; Luanda; Kinshasa; Abidjan; Riyadh; Jeddah; Dubai; Abu Dhabi; Doha; Muscat; Kuwait City;
Karachi; Lahore; Islamabad; Delhi; New Delhi; Mumbai; Bangalore; Bengaluru; Chennai; Kolkata; Hyderabad; Pune;
Ahmedabad; Jaipur; Kochi; Goa; Dhaka; Colombo; Kathmandu; Beijing; Shanghai; Guangzhou; Shenzhen; Chengdu;
Chongqing; Hangzhou; Nanjing; Wuhan; Suzhou; Hong Kong; Macau; Taipei; Kaohsiung; Tokyo; Osaka; Kyoto; Nagoya;
Sapporo; Fukuoka; Yokohama; Kobe; Hiroshima; Seoul; Busan; Incheon; Daegu; Ulaanbaatar; Hanoi; Ho Chi Minh City;
Saigon; Da Nang; Bangkok; Chiang Mai; Phuket; Singapore; Kuala Lumpur; Penang; Jakarta; Bandung; Denpasar; Bali;
Manila; Cebu; Phnom Penh; Vientiane; Yangon; Sydney; Melbourne; Brisbane; Perth; Adelaide; Canberra; Hobart;
Auckland; Wellington; Christchurch; Dunedin; New York; Brooklyn; Manhattan; Queens; Boston; Chicago; Los
Angeles; San Francisco; San Diego; San Jose; Oakland; Sacramento; Seattle; Portland; Denver; Boulder; Dallas;
Houston; San Antonio; Tucson; Las Vegas; Salt Lake City; Albuquerque; Minneapolis; Milwaukee; Detroit; Ann
Arbor; Cleveland; Cincinnati; Pittsburgh; Philadelphia; Baltimore; Raleigh; Atlanta; Nashville; Memphis; New
Orleans; Miami; Orlando; Tampa; Jacksonville; St Louis; Kansas City; Omaha; Indianapolis; Louisville; Rochester;
Hartford; Honolulu; Anchorage; Boise; Toronto; Montreal; Montréal; Vancouver; Calgary; Edmonton; Ottawa;
Winnipeg; Quebec City; Halifax; Mexico City; Guadalajara; Monterrey; Puebla; Tijuana; Oaxaca; Havana; San Juan;
Guatemala City; San Managua; Panama City; Bogotá; Bogota; Medellín; Medellin; Cartagena; Caracas; Quito;
Guayaquil; Cusco; La Paz; Santiago; Valparaíso; Buenos Aires; Mendoza; Montevideo; Asunción; São Paulo; Sao
Paulo; Rio de Janeiro; Brasília; Recife; Fortaleza; Porto Alegre; Curitiba; Belo Horizonte; Florianópolis
"""

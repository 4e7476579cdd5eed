"""All 91 dishes and what they score, worked out from the printed cards and not by the code.

Each line: the points, then what is cooked with the noodles.
"""

DISHES = """
4 mushrooms soy_sauce
5 mushrooms ginger
6 mushrooms green_onion
9 mushrooms shrimp
11 mushrooms pork
7 mushrooms chicken
6 soy_sauce ginger
6 soy_sauce green_onion
8 soy_sauce shrimp
7 soy_sauce pork
5 soy_sauce chicken
6 ginger green_onion
12 ginger shrimp
10 ginger pork
6 ginger chicken
12 green_onion shrimp
9 green_onion pork
9 green_onion chicken
12 shrimp pork
10 shrimp chicken
9 pork chicken
8 mushrooms soy_sauce ginger
8 mushrooms soy_sauce green_onion
10 mushrooms soy_sauce shrimp
12 mushrooms soy_sauce pork
8 mushrooms soy_sauce chicken
8 mushrooms ginger green_onion
14 mushrooms ginger shrimp
15 mushrooms ginger pork
9 mushrooms ginger chicken
14 mushrooms green_onion shrimp
14 mushrooms green_onion pork
12 mushrooms green_onion chicken
17 mushrooms shrimp pork
13 mushrooms shrimp chicken
15 mushrooms pork chicken
9 soy_sauce ginger green_onion
17 soy_sauce ginger shrimp
13 soy_sauce ginger pork
9 soy_sauce ginger chicken
14 soy_sauce green_onion shrimp
11 soy_sauce green_onion pork
11 soy_sauce green_onion chicken
13 soy_sauce shrimp pork
11 soy_sauce shrimp chicken
10 soy_sauce pork chicken
17 ginger green_onion shrimp
13 ginger green_onion pork
13 ginger green_onion chicken
19 ginger shrimp pork
15 ginger shrimp chicken
13 ginger pork chicken
17 green_onion shrimp pork
17 green_onion shrimp chicken
14 green_onion pork chicken
15 shrimp pork chicken
11 mushrooms soy_sauce ginger green_onion
19 mushrooms soy_sauce ginger shrimp
18 mushrooms soy_sauce ginger pork
12 mushrooms soy_sauce ginger chicken
16 mushrooms soy_sauce green_onion shrimp
16 mushrooms soy_sauce green_onion pork
14 mushrooms soy_sauce green_onion chicken
18 mushrooms soy_sauce shrimp pork
14 mushrooms soy_sauce shrimp chicken
16 mushrooms soy_sauce pork chicken
19 mushrooms ginger green_onion shrimp
18 mushrooms ginger green_onion pork
16 mushrooms ginger green_onion chicken
24 mushrooms ginger shrimp pork
18 mushrooms ginger shrimp chicken
19 mushrooms ginger pork chicken
22 mushrooms green_onion shrimp pork
20 mushrooms green_onion shrimp chicken
20 mushrooms green_onion pork chicken
21 mushrooms shrimp pork chicken
22 soy_sauce ginger green_onion shrimp
16 soy_sauce ginger green_onion pork
16 soy_sauce ginger green_onion chicken
24 soy_sauce ginger shrimp pork
20 soy_sauce ginger shrimp chicken
16 soy_sauce ginger pork chicken
19 soy_sauce green_onion shrimp pork
19 soy_sauce green_onion shrimp chicken
16 soy_sauce green_onion pork chicken
16 soy_sauce shrimp pork chicken
24 ginger green_onion shrimp pork
24 ginger green_onion shrimp chicken
20 ginger green_onion pork chicken
22 ginger shrimp pork chicken
22 green_onion shrimp pork chicken
"""

"""The printed figures: means and deviations over ten folds, a row a set, a pair a learner."""

from __future__ import annotations

LEARNERS = ("ID3", "CART", "ID-LP", "ID-MLP", "ID-Hybrid")

#: By set and learner.
Figures = dict[str, dict[str, tuple[float, float]]]


def _read(text: str) -> Figures:
    figures = {}
    for line in text.strip().splitlines():
        name, *numbers = line.split()
        pairs = zip(map(float, numbers[::2]), map(float, numbers[1::2]), strict=True)
        figures[name] = dict(zip(LEARNERS, pairs, strict=True))
    return figures


#: Table 2: per cent of test rows right.
ACCURACY = _read("""
Breast       94.1  1.2   94.9  1.4   96.6  0.6   96.8  0.9   96.6  0.6
Bupa         62.3  5.3   61.7  3.4   63.5  2.8   63.2  4.3   63.4  2.6
Car          81.0  1.3   83.8  2.0   89.5  4.0   96.9  2.3   94.5  1.2
Cylinder     68.5  2.2   59.5  4.1   70.2  4.5   70.4  9.6   71.3  1.7
Dermatology  92.8  2.4   80.9  4.6   85.7  7.1   87.8 13.6   94.5  4.7
Ecoli        78.1  3.6   74.7  3.8   82.6  4.1   80.1  5.1   83.1  4.2
Flare        85.3  2.0   81.6  3.6   88.4  2.4   87.7  2.6   88.1  2.4
Glass        60.7  6.0   53.9  4.2   55.0  7.8   58.0 13.3   55.1  9.7
Hepatitis    78.4  3.7   79.0  4.0   84.1  2.9   83.7  2.4   83.7  3.4
Horse        87.6  2.0   77.0  3.0   82.1  3.5   84.7  2.6   82.7  2.6
Iris         93.9  2.8   89.3  4.4   77.6 15.7   92.7  3.6   92.7  3.3
Ironosphere  87.6  3.2   86.8  4.0   87.8  2.2   87.5  2.1   87.8  2.2
Monks        92.3 10.2   91.2  6.9   66.3  1.9   67.0  2.2   66.4  1.9
Mushroom     99.7  0.1   93.5  1.8  100.0  0.0  100.0  0.0  100.0  0.0
Ocrdigits    78.4  1.5   81.4  2.1   93.9  0.9   83.9 10.2   92.8  2.2
Pendigits    85.7  1.0   87.1  2.9   91.9  4.2   91.4  6.6   90.8  9.6
Segment      91.1  1.2   88.1  1.7   79.8 11.6   80.4 12.4   81.8 13.0
Vote         94.9  1.1   90.3  3.2   94.7  1.1   95.6  1.7   94.7  1.1
Wine         88.7  3.7   87.3  4.4   87.8 12.6   96.0  2.1   96.1  2.1
Zoo          92.1  4.8   69.9  9.7   79.4  8.1   85.3 11.9   86.9  5.4
""")

#: Table 3: decision nodes and leaves.
NODES = _read("""
Breast       17.0  2.1   11.6  2.7    3.0  0.0    3.0  0.0    3.0  0.0
Bupa         53.4  5.5   43.2  3.8    4.6  1.8    3.8  1.0    4.4  1.9
Car          25.4  0.7   29.0  3.4    7.4  0.8    6.6  1.3    7.6  1.0
Cylinder     54.1  5.9   45.0  4.9    8.4  1.9    6.4  1.7    8.8  1.8
Dermatology  20.4  2.7   28.0  4.7    8.8  1.5    9.6  2.3   11.2  1.1
Ecoli        33.8  2.7   34.0  5.0   10.8  2.9    8.8  2.2   10.6  2.3
Flare        37.9  4.5   33.8  6.2    3.2  2.2    2.2  1.0    3.0  1.3
Glass        38.2  5.9   42.4  4.1   10.2  4.6    7.2  3.7   11.0  5.5
Hepatitis    19.6  3.8   14.0  3.4    3.0  0.0    3.0  0.0    3.0  0.0
Horse        55.8  5.9   28.0  5.2    5.0  1.6    4.0  1.4    5.6  2.8
Iris          8.4  1.4   10.2  2.4    4.0  1.1    5.0  0.0    5.0  0.0
Ironosphere  19.2  3.1   16.4  3.8    3.8  1.0    3.8  1.0    4.0  1.1
Monks        25.4 13.5   17.8 10.2    3.0  0.0    3.0  0.0    3.0  0.0
Mushroom     23.0  0.0   43.0  6.5    3.0  0.0    3.0  0.0    3.0  0.0
Ocrdigits    74.4  4.0   70.8  4.0   34.8  4.9   18.4  3.5   25.4  3.8
Pendigits    81.8  5.5   77.8 10.1   30.4  6.4   17.6  1.4   23.4  5.8
Segment      41.8  3.8   45.2  9.0   16.6  6.7   11.6  2.1   14.4  2.8
Vote         18.2  3.2   17.2  5.3    4.2  1.9    3.0  0.0    4.2  1.9
Wine         10.4  1.4    9.4  2.3    4.4  1.0    5.0  0.0    5.0  0.0
Zoo          15.0  1.9   25.2  4.9    8.8  1.8   10.6  2.8   12.4  1.9
""")

#: Table 4: seconds of learning.
SECONDS = _read("""
Breast          2    0    107   17      5    0      7    0     30    1
Bupa            3    1    252   23      3    1      3    1     15    3
Car             5    0   1178  148    152   16    216   18    911  151
Cylinder       10    2   4589  343     19    2    102   15    366   45
Dermatology     3    0    858  170     42    9    122   19    399   25
Ecoli           3    0    221   25     57   15     50   13    219   38
Flare           2    0   1032  203      9    4     18    7     67   26
Glass           3    0    320   25     33    9     27    8    137   28
Hepatitis       1    0    209   47      1    0      3    0     10    0
Horse           4    0   3481 1101     14    2     97   20    327   89
Iris            0    0     31   11      3    0      3    0     14    1
Ironosphere    39    7    544   94      4    1     14    2     53    9
Monks           2    1    126   61      3    0      3    0     16    0
Mushroom      113   33  33613 2942    628  204   1858  270   5529  414
Ocrdigits     207    9   9148  713   8035  757  10993 1402  14791 3204
Pendigits     476   22   3311  350  18340 3319   8473 1742   9942 1566
Segment       345   10   1212  170    937  103    927  126   4756  453
Vote            1    0    805  167      6    1     13    2     53   11
Wine            1    0     84   26      4    1      4    1     19    2
Zoo             1    0    453   61     10    2     18    4     66   10
""")

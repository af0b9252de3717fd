#include "axis_pattern_tables.hpp"

#include <algorithm>
#include <array>

// tools/axis_patterns/find_pattern.py found these patterns.
namespace cubefold {

namespace {

// clang-format off
constexpr std::array tables{
    AxisTable{5, Ends::open, {}, PatternKind::halves, "2/3 1/1*3",
              "04351 53024 45203 30542 12435"},
    AxisTable{5, Ends::open, {}, PatternKind::quarters, "3/4 1/1*2",
              "01245 54031 43502 20354 15420"},
    AxisTable{5, Ends::open, {}, PatternKind::fifths, "4/5 1/1",
              "01235 53041 45102 30514 12450"},
    AxisTable{6, Ends::open, {}, PatternKind::halves, "2/3*3",
              "016348 642057 438261 564802 123684 780425"},
    AxisTable{7, Ends::open, {}, PatternKind::halves, "2/3*2 1/2*3",
              "014379B 148A562 3B71804 4709A31 62341A8 95B0417 A817245"},
    AxisTable{9, Ends::open, {}, PatternKind::halves, "2/5*2 1/2*5",
              "HJ74F15CB BE3608DGJ 9D1H3AIE7 FADJ9H462 I7HDA3F09 C4E8I61AH 0G9ADI73F 35B17EGIC 62JFHCA94"},
    AxisTable{10, Ends::open, {}, PatternKind::halves, "2/5*5",
              "E6J4LHC2O8 1HD97K3NFA 8O2MDJG0B5 C2OF96MIE4 HJAO4D9L71 NL81A46DHJ 3DMIOA169G 5BGE2NI80L F947H1OBMD "
              "K06CJ8AG2N"},
    AxisTable{11, Ends::open, {}, PatternKind::halves, "2/5*3 1/3*5",
              "C51APL3FIS7 N7DRK2B9GQ0 SB4H1JO68MD 71QKH4TCA5N 94NC6H1KREP OTB5E7J4L2H KG61NE8O3BT 2L8QCTGE64J "
              "0DIMRB62QG9 HJS39OEL07B APF745NTCK2"},
    AxisTable{13, Ends::open, {}, PatternKind::halves, "2/7*3 1/3*7",
              "cY6HWfJ4OSAM8 4FBQKcR2Z9VdL R5fUYN3EGBPbD CANYTF5QaHeU0 fcQN3KW7CXI1T VT49Q7fcNF6KY PHbBNYDW5fR3J "
              "IdZSC4NGW2c7Q MUE0fTbCAOGZ5 XOW5F9Bd0aNSH 73RJcQHZfM1CV K8De16PNTUXIc 2LGaAVYSE4CQf"},
    AxisTable{14, Ends::open, {}, PatternKind::halves, "2/7*7",
              "2QlJeCX07ELSZg S3OkGaDm18IQUc 7U4MjKdfl29FOW Z8W5RiHYbk3AJM Ec9Y6PhRTej4BG gIfAT0NKPVai5C "
              "LmFbBV1DHNXdh6 0kdWPIB2YDfKmR C1jZYNFP3T7bHl JD2icTLkN4V8eE QG73hfVIjL5X9a XOK84gbdFiQ6SA "
              "eSMH95mBZJhO0U laUREA6WCcGgM1"},
    AxisTable{14, Ends::open, {}, PatternKind::single, "1/4*14",
              "FRBJZLo7htbTk0 ZNlVg3O9p6DGaq IVdY25CeBjrQmM oFhNdYslHP814U 6tpjBVZNcI2EgR lJ7OptdVFLfX3A "
              "e9soSl3JOC5KZd dZK5COJ3lSos9e A3XfLFVdtpO7Jl RgE2IcNZVBjpt6 U418PHlsYdNhFo MmQrjBeC52YdVI "
              "qaGD6p9O3gVlNZ 0kTbth7oLZJBRF"},
    AxisTable{15, Ends::open, {}, PatternKind::halves, "2/7*4 1/4*7",
              "RCJdMqHA4oVj6gZ 4KlQpCeFsY72OcU DQ3hl1bTILWmG8t BnSI5XDRK0driPf EZPBshSn9J5Na3l JUa67OX1kQhECqp "
              "2jt4RoJeBDMXSHb M38XKajrneRT1AF fOWTF64aQkKBsn9 lr5LdJo8TH0DeYQ pAeGCQ2jWdt4IVL bImqh7RK6TCPWj4 "
              "s1NiSEPXf8pdAJ6 YgH90UtMa5lJpRB VcDnZkB3OrFhQ5K"},
    AxisTable{5, Ends::wrapped, {}, PatternKind::halves, "1/1*5",
              "01234 10342 34021 42103 23410"},
    AxisTable{5, Ends::wrapped, {}, PatternKind::one_way, "2/3*2 1/1",
              "60134 36025 43601 05362 12456"},
    AxisTable{7, Ends::wrapped, {}, PatternKind::halves, "1/1*7",
              "0123456 5064123 4302561 6510342 3246015 1635204 2451630"},
    AxisTable{7, Ends::wrapped, {}, PatternKind::one_way, "1/2*6 1/1",
              "C02468A 6C530B9 8BC1257 A68C413 09B6C24 2578BC1 431A97C"},
    AxisTable{9, Ends::wrapped, {}, PatternKind::halves, "2/3 1/1*7",
              "480613759 369578124 517349068 748952630 926831475 135467982 091785346 874026593 653294807"},
    AxisTable{9, Ends::wrapped, {}, PatternKind::quarters, "3/4 1/1*6",
              "012456789 986137054 745869231 657904812 891745360 403618975 234570698 179283546 568091427"},
    AxisTable{9, Ends::wrapped, {}, PatternKind::fifths, "4/5 1/1*5",
              "457062891 965481370 108973564 836749205 291356748 674825139 510638927 043597682 789214056"},
    AxisTable{9, Ends::wrapped, {}, PatternKind::ninths, "8/9 1/1",
              "012345679 975081234 643297580 794823061 536178492 320459718 408962357 159730846 287614905"},
    AxisTable{11, Ends::wrapped, {}, PatternKind::halves, "2/3*4 1/1*3",
              "E2D06C83B95 8C2A193D74E B4578DE2AC1 3ECD5AB7026 9DBCE168450 574E08C9D1A 6812D49E3BC 29A3C5D1E87 "
              "03E6B72ACD4 D1859E4C27B CA7B40156ED"},
    AxisTable{13, Ends::wrapped, {}, PatternKind::halves, "2/3*5 1/2*3",
              "B1073DICJ9G85 9E8H14GJ2D3B7 5D180KAF9EH64 J2E458CBH71FA GBDA751630EIK C9HFB72D8K450 836EKB41AI2CG "
              "1742IC3ADFBJ6 3H5JG062E8DA9 78F1D9E45BK0I D4KBAH83G17E2 0JA5EFBI6481C IG9C62K705A4E"},
    AxisTable{15, Ends::wrapped, {}, PatternKind::halves, "2/3*2 1/2*11",
              "2385DIQBLO1N7EG LCH123MP9BJ6F5Q NQ4J0F8H7KC3AP2 7B2PJ1CRE45KHM8 OFAK5N602DGJ9R4 G6Q8K53NO1FAI0D "
              "15PHA0F3Q6M8CLI ELC296I50RPHN3B QJ3M4DHLB920O7E D9NBOG5EJ2KR416 5PF7R81C4JB2KGM 8HJRFKP63N4C2A0 "
              "I2K4NQA9H57F0CO 317CGA0IMERP58L BM0E6OL2DG84QI5"},
    AxisTable{4, Ends::wrapped, Tie::balanced, PatternKind::one_way, "1/1*4",
              "0123 3012 2301 1230"},
    AxisTable{6, Ends::wrapped, Tie::balanced, PatternKind::halves, "1/1*6",
              "035124 402315 310542 254031 541203 123450"},
    AxisTable{10, Ends::wrapped, Tie::balanced, PatternKind::halves, "2/3*3 1/1*4",
              "1B62A9375C CA7B548019 29431C76BA 7CA9B02346 3097CA518B 582A7B94C0 951C38BA72 61B407C9A3 A4C8951B27 "
              "B73062AC94"},
    AxisTable{10, Ends::wrapped, Tie::balanced, PatternKind::quarters, "3/4*3 1/1",
              "25639840CB C84B012975 0915CA6483 4C9A2B7316 A78160925C B2567CA801 6B3C4207A9 340985CB27 50A217BC68 "
              "91C7A635B2"},
    AxisTable{12, Ends::wrapped, Tie::balanced, PatternKind::halves, "2/3*6",
              "HA315CF608DB B8274DAEG5F1 D5G8B032EH79 0G5EH89174AC 81DAEBH546G2 6F942G08BDC3 3E7C825AH90F "
              "5BHGD6E4A128 A7B0138GDE4H 1DE5A42H8G96 C209GF7D3A84 F48H69CB123E"},
    AxisTable{14, Ends::wrapped, Tie::balanced, PatternKind::halves, "2/3*3 1/2*8",
              "7146HJG52EBMNA 2GI7LA18KCO54D EK74OF2ICM6193 A2C1E46N73IJLF B5624OK0LHE9G7 8D1L73AJ4OFBH0 "
              "N43IBL721GAD6K MO9CG7D358J20I 4LKF28I9E157CN H8EJA04CO7MG31 5AFE61B7I04OJM G7295HNM8J14DB "
              "JCO30DLG947H26 1IMNKB3DFA0874"},
    AxisTable{4, Ends::wrapped, Tie::positive, PatternKind::one_way, "2/3 1/1*2",
              "3014 4302 0431 1243"},
    AxisTable{4, Ends::wrapped, Tie::positive, PatternKind::halves, "1/1*4",
              "0123 1230 2301 3012"},
    AxisTable{6, Ends::wrapped, Tie::positive, PatternKind::halves, "1/1*6",
              "012345 421053 530124 345201 253410 104532"},
    AxisTable{8, Ends::wrapped, Tie::positive, PatternKind::halves, "2/3*2 1/1*4",
              "01436798 73928164 86149572 97863240 64271983 12687359 48592617 39704826"},
    AxisTable{8, Ends::wrapped, Tie::positive, PatternKind::quarters, "3/4*2 1/1*2",
              "37148692 98267305 60791258 25830469 89356710 42689073 16523987 73905826"},
    AxisTable{8, Ends::wrapped, Tie::positive, PatternKind::fifths, "4/5*2",
              "01235678 96417823 85692401 70529316 53841792 34156287 18973540 27064159"},
    AxisTable{10, Ends::wrapped, Tie::positive, PatternKind::halves, "2/3*5",
              "35AC0B826D 8219DE54A7 24D736A19C EB054C7981 68CA92D304 C751A4EB26 AD908137E5 B17DC52839 0E386ABD52 "
              "5964271EDB"},
    AxisTable{12, Ends::wrapped, Tie::positive, PatternKind::halves, "2/3*3 1/2*6",
              "CK0H86F591E3 52IDC4KAG780 E5AGJ170I4B6 37619G5HBD2K 1G470EC83J9H A8CKI5261G4E K0D64IAC75F2 "
              "6A531KEG80HC 8I12FA4KEB37 0DGB78I14AJ5 H4J93C0E287F FC75E263KI0A"},
    AxisTable{14, Ends::wrapped, Tie::positive, PatternKind::halves, "1/2*14",
              "7ALFNI43PRDG18 179OAKERCIN2H5 RNP0H5L972BCJF G5CJQBM0F8OL37 DIF35N16QAHP9K 81R63FGNBDI5KO "
              "P2BC9R6L4E1JMG LHJ5EOCB30R96N 3CNGK8PJ147QFB 4E0LI7RHMP8AD2 IOH8D3BEKM57R1 A97QP12CGLEN5J "
              "FK5M6D9OJH31BR NR2B1GJ587KFOD"},
    AxisTable{4, Ends::open, {}, PatternKind::closed, "1/1 1/2 1/1*2",
              "0432 3014 4103 2340"},
    AxisTable{5, Ends::open, {}, PatternKind::closed, "1/1 1/2*3 1/1",
              "07642 70315 61073 45107 23750"},
    AxisTable{6, Ends::open, {}, PatternKind::closed, "1/1 1/2*4 1/1",
              "098642 905713 410985 631097 854109 279350"},
    AxisTable{7, Ends::open, {}, PatternKind::closed, "1/1 1/2*6",
              "013579B 7064AC1 9C02638 BA80425 17CA064 3628C09 549B180"},
    AxisTable{8, Ends::open, {}, PatternKind::closed, "1/1 1/3*2 1/2*5",
              "0CAD836F D07GC925 3G0BE4A7 A7401BGD C5GA08E1 8D34G0B9 62E7AG0B F9B15D70"},
    AxisTable{9, Ends::open, {}, PatternKind::closed, "1/1 1/3*4 1/2*4",
              "0147ADFHJ F0EC16IK8 HK0G49B3E JEH0725CG DIGJ0A174 A6KHG09D2 1F9EIK05B 7C35DGK0H 48B2JHEG0"},
    AxisTable{10, Ends::open, {}, PatternKind::closed, "1/1 1/3*7 1/2*2",
              "09PKFNI5B2 206EA9OMHL PM0CGD83J6 NH307CEK4P 5OJN01AG7F 9LG4O0ND1C I683JO0AEN KADP5G30M9 "
              "BEM714JP0H F2CHNL69P0"},
    AxisTable{11, Ends::open, {}, PatternKind::closed, "1/1 1/3*10",
              "0SQ9M5JE3CI E0AK1G48NSR 3K0H6F7ATQO QN609KHUD2B SGFB09PL6M1 MR3UB0F5G9K C17NPU0HJ4F 5EO2LRU0AH8 "
              "9ATDG3NR0J6 J4HQFMC290S I8K6SB1ORF0"},
    AxisTable{12, Ends::open, {}, PatternKind::closed, "1/1 1/4*3 1/3*8",
              "0KUIE7X9Y3QN U0HO4A5VDKaR Xa026LFPHMUB QDL0CIZOT8W2 NRXZ0SC46GJE YVFQN0LS1A7I IOPCS105LZFX "
              "E4aLGVP09SO5 9H6DRYOL0V1T 3AM8ZQSEV0GK 7UBWJF1GOQ0a K52TXNIaREB0"},
    AxisTable{13, Ends::open, {}, PatternKind::closed, "1/1 1/4*6 1/3*6",
              "0Se3KdGO8CWYQ C0ZL7V2SEJfRc Wc0AUN51eFPHZ YRW0gDLbA3I6T d2PD0gBXa7UMK K7URa0d9VND4g "
              "QfHYXU052dLGB GJ1gPaX0OSb95 8EAb2KUP0eaVO SCNWd7YJP03eF 3L5ID9fabP0UW eVc6MRHGUY904 "
              "OZFTB4QgKW5c0"},
    AxisTable{14, Ends::open, {}, PatternKind::closed, "1/1 1/4*10 1/3*3",
              "0gSWicCXlMK6G3 g0jemA1NZHTDR8 Me0I4En9UY7jgS lj40a5IFLeQWBf Cm7F0POJd4ihVa XTILh0kc2PmA5E "
              "6RUfFX0kInC1bO S1gl7TX09FcJNk iZEQdL6g092lIU WH94PkF7g0MYne KDMaC2fTQ70cim cAYjOhRl6WD01J "
              "GNn5VIb1igaR0B 38eBJmUSEkfOa0"},
    AxisTable{15, Ends::open, {}, PatternKind::closed, "1/1 1/4*14",
              "0159DHLPTXbfjnr r0A6IEUMYQgcok1 fA02NRFZdJlpVs5 jYV0StKqieGO629 Xkpe0huC47SWNID bUNq703mtEaRhAH "
              "PcZipm03Fu8KBUL TIdGu7i0m3qCZMP HQFO4qB70itmdYT LElVeApi703uJQX 9MJSW38Gql0atgb D62KCamuOpW0Rcf "
              "1oRthNZdBVJ60Ej 5gsYkUcIQAM2E0n nrfjXbPTHL9D150"},
    AxisTable{5, Ends::wrapped, {}, PatternKind::closed, "1/1*5",
              "01234 10342 34021 42103 23410"},
    AxisTable{7, Ends::wrapped, {}, PatternKind::closed, "1/1*7",
              "0123456 5064123 4302561 6510342 3246015 1635204 2451630"},
    AxisTable{9, Ends::wrapped, {}, PatternKind::closed, "1/1 1/2*4 1/1*4",
              "0A9B47C26 907AC25B4 CB051973A 29C0B53A8 64A90CB81 47BCA0259 72539A0CB A5328B90C BC1864A90"},
    AxisTable{11, Ends::wrapped, {}, PatternKind::closed, "1/1 1/2*7 1/1*3",
              "0FG24DHC579 H0368BFEA1G 2E0HG5C983F CGF0H2A736D 4A5F0G8H1EB 7H93F0G2DB5 F18D5H0GCA4 962CEF40HG7 "
              "D8CGA35F0H1 G3EAB716F0H 5BH719D4GF0"},
    AxisTable{13, Ends::wrapped, {}, PatternKind::closed, "1/1 1/2*10 1/1*2",
              "08IJF4MCA2EL5 L0CD38H16KG9M 5M0LAIKGCD713 2GM0LJB6D94I8 CH1M0E5L37AJF AL52M08EI4JFB "
              "E93GHL08KBM52 86K4CM90LG1EH ICD81AGM0L63K 4DGI752KM0LB9 M1A6JBE4GI07L J37B5FL91MI0E "
              "FKL9E23H85BM0"},
    AxisTable{15, Ends::wrapped, {}, PatternKind::closed, "1/1 1/2*14",
              "0RM3JGOD7ABP26H A07RHKCP6D1FL4O 2D0Q75IMAFJR3NC BLJ0NE813RQ5GI9 64CG09SJ2NH7QME H1NLQ0EGKB549S8 "
              "PF39610IL8OCSEK 7AR5CN30IPMDJG1 3ODBGSP706AKI2L R62I4LKAD0FN8BP MHFJE81RB40AOQ5 DKANMHF5P2R0C74 "
              "OCI89Q63GLE20JS J7QE2B9NSI4M60G GP51S4LCOK8HE90"},
    AxisTable{6, Ends::wrapped, Tie::balanced, PatternKind::closed, "1/1*6",
              "035124 402315 310542 254031 541203 123450"},
    AxisTable{8, Ends::wrapped, Tie::balanced, PatternKind::closed, "1/1 1/2 1/1*6",
              "05632847 40875236 73068415 84503671 26740583 52387064 67154308 38416750"},
    AxisTable{10, Ends::wrapped, Tie::balanced, PatternKind::closed, "1/1 1/2*5 1/1*4",
              "06CD372ABE A0B4E276CD ED0AC6B841 BCE01DA458 37DB0C5E19 2A6EB0DC73 D24C7E0BA5 6418DAC0EB "
              "7EA15B4D0C CB8593E1D0"},
    AxisTable{12, Ends::wrapped, Tie::balanced, PatternKind::closed, "1/1 1/2*8 1/1*3",
              "0ID9J135FC7H 70HB4G51I9EJ DJ0I28ACH4G6 H5J0IEF9B832 F94H0IJ7D26B CE6JH0I48G1A 37I2BH0J5EAF "
              "J1G5D4H09IC7 9B83FJ2I05HD 5G289CEHJ0I4 1HCE6A7G3J0I I4AF76BD2HJ0"},
    AxisTable{14, Ends::wrapped, Tie::balanced, PatternKind::closed, "1/1 1/2*13",
              "05BG17HDLP4NKA 408J59ECQOHMG2 AQ0LFBK8N26D3I POD0IGL64J891B 7MQD031AIFO5CJ NH2BJ0739MPG5E "
              "L4F9O50Q1HKBE7 KGI8M2O0D6C3AQ D961CJQG04LI8N HJAP7EBO60F2M4 1CL6DH4K8A0POF B2KI3N9MG7D0P5 "
              "G83OAP5ICE1K0M 5EN4QMF2JBA7I0"},
    AxisTable{6, Ends::wrapped, Tie::positive, PatternKind::closed, "1/1 1/2 1/1*4",
              "032546 403165 650324 546031 265403 314650"},
    AxisTable{8, Ends::wrapped, Tie::positive, PatternKind::closed, "1/1 1/2*3 1/1*4",
              "0135789A 90A81647 870293A6 A9708254 746A0981 3687A029 5A294708 18946A70"},
    AxisTable{10, Ends::wrapped, Tie::positive, PatternKind::closed, "1/1 1/2*6 1/1*3",
              "07F4E25ACD A0CD6371FE DE09F5C832 5FE0DB9418 C1380FD6EA 2ADE80FB53 7C253E0D9F 468F1AE0DB "
              "ED91C83F05 F35BAD2E80"},
    AxisTable{12, Ends::wrapped, Tie::positive, PatternKind::closed, "1/1 1/2*11",
              "0E3JHGMA285B 20K945EB7FLI M70362FIK9CD 5FD0CJ7L91H3 A2MF0DH46C8J 8ICL205G3JDA HB95J302EMF7 "
              "BL7DAIJ0G425 3K6HMC270E9G E4I1F895C0JM J9FC8L3DH502 G527DABJMI30"},
    AxisTable{14, Ends::wrapped, Tie::positive, PatternKind::closed, "1/1 1/3*2 1/2*11",
              "0QDMF6ARBNJ3H8 J07BOQ593MSIGE BM0H47DNG19RPK NER0PHMJ8B2F6A 8SBA0KOFEIP4L1 3G9EB0S76QHLKO "
              "HJPF830CMDOAS5 FIM61EP097CJNR M3KNSBHP068E9G QB1RAGJMN067DI 6OH8L9FESJ0C2P A74JEO3IPRF0CL "
              "D9N2KS86HGLP0C R5GPILC1KAEO80"},
};
// clang-format on

}  // namespace

const AxisTable* axis_table(const Axis& axis, Tie tie, PatternKind kind) {
  const auto fits = [&](const AxisTable& table) {
    return table.extent == axis.extent && table.ends == axis.ends && table.kind == kind &&
           table.tie.value_or(tie) == tie;
  };
  const auto table = std::find_if(tables.begin(), tables.end(), fits);
  return table == tables.end() ? nullptr : table;
}

}  // namespace cubefold

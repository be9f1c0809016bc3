/* test_shogi_refusals.c - why shogi refuses a move: the code, the rule and the witnesses. */
#include <criterion/criterion.h>

#include "rules/rules.h"
#include "scene.h"

#define GAME rules_find("shogi")

Test(shogi_refusals, a_text_that_is_no_move)
{
    const char *const texts[] = {"",       " ",   "7g",    "7g7",   "7g7f++", "7g7fx",  "77 76",
                                 "P5e",    "P*",  "X*5e",  "*5e",   "+P*5e",  "7g--7f", "resign",
                                 "7g7f+=", "7g-", "07g7f", "-7g7f", "P**5e",  "Pp*5e",  "win"};
    static struct scene scene;

    scene_open(&scene, GAME, "", NULL);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        scene_refuses(&scene, texts[i], RULES_BAD_MOVE_TEXT, "shogi.move-text");
}

#define PROMOTED "4k4/9/9/+P+L+N+S4+B/9/9/7+R1/9/4K4 b - 1"
#define CROSS    "4k4/9/4G4/9/2P1R1P2/9/4P4/9/4K4 b - 1"
#define SALTIRE  "4k4/9/2P3P2/9/4B4/9/2G3G2/9/4K4 b - 1"

static const struct scene_row moves[] = {
    {"the place where reading failed", "", NULL, "7g7f?", "bad-move-text 2.3 move-text at 4"},
    {"the place of a square off the board", "", NULL, "7g7k", "out-of-board 2.1 squares at 2"},
    {"a file 0", "", NULL, "0g7f", "out-of-board 2.1 squares at 0"},
    {"a rank j", "", NULL, "7j7f", "out-of-board 2.1 squares at 0"},
    {"a rank z", "", NULL, "7g7z", "out-of-board 2.1 squares at 2"},
    {"a file 10", "", NULL, "10a7f", "out-of-board 2.1 squares at 0"},
    {"a drop off the board", "", NULL, "P*5j", "out-of-board 2.1 squares at 2"},

    {"an empty square has nothing to move", "", NULL, "5e5d", "empty-square 3 own-piece: from 5e"},
    {"a piece of the other side", "", NULL, "3c3d", "not-your-piece 3 own-piece: from 3cp"},
    {"a square that an own piece holds", "", NULL, "2h2g", "occupied 3 capture: to 2gP"},
    {"a pawn is refused by its own rule", "", NULL, "7g7e", "wrong-shape 3 pawn: from 7gP, to 7e"},
    {"a pawn that stays", "", NULL, "7g7g", "wrong-shape 3 pawn: from 7gP, to 7gP"},
    {"a lance that steps onto an own piece", "", NULL, "1i2h", "occupied 3 capture: to 2hR"},
    {"a lance is refused by its own rule", "", NULL, "1i2f",
     "wrong-shape 3 lance: from 1iL, to 2f"},
    {"a knight is refused by its own rule", "", NULL, "2i3f",
     "wrong-shape 3 knight: from 2iN, to 3f"},
    {"a silver is refused by its own rule", "", NULL, "3i3f",
     "wrong-shape 3 silver: from 3iS, to 3f"},
    {"a gold is refused by its own rule", "", NULL, "4i3f", "wrong-shape 3 gold: from 4iG, to 3f"},
    {"a king is refused by its own rule", "", NULL, "5i5e", "wrong-shape 3 king: from 5iK, to 5e"},
    {"a bishop is refused by its own rule", "", NULL, "8h8f",
     "wrong-shape 3 bishop: from 8hB, to 8f"},
    {"a rook is refused by its own rule", "", NULL, "2h3f", "wrong-shape 3 rook: from 2hR, to 3f"},
    {"a promoted pawn is refused by its own rule", "", PROMOTED, "9d8e",
     "wrong-shape 3 promoted-pawn: from 9d+P, to 8e"},
    {"a promoted lance is refused by its own rule", "", PROMOTED, "8d7e",
     "wrong-shape 3 promoted-lance: from 8d+L, to 7e"},
    {"a promoted knight is refused by its own rule", "", PROMOTED, "7d6e",
     "wrong-shape 3 promoted-knight: from 7d+N, to 6e"},
    {"a promoted silver is refused by its own rule", "", PROMOTED, "6d5e",
     "wrong-shape 3 promoted-silver: from 6d+S, to 5e"},
    {"a horse is refused by its own rule", "", PROMOTED, "1d1f",
     "wrong-shape 3 horse: from 1d+B, to 1f"},
    {"a dragon is refused by its own rule", "", PROMOTED, "2g4e",
     "wrong-shape 3 dragon: from 2g+R, to 4e"},
    {"a bishop's way shows the first blocker", "", NULL, "8h5e", "blocked 3 jump: blocker 7gP"},
    {"a lance's way shows the first blocker", "", NULL, "1i1e", "blocked 3 jump: blocker 1gP"},
    {"a rook's way shows the first blocker", "", NULL, "2h2c+", "blocked 3 jump: blocker 2gP"},
    {"a way shows the first of two blockers", "", "4k4/9/9/9/R2p2p2/9/9/9/4K4 b - 1", "9e1e",
     "blocked 3 jump: blocker 6ep"},
    {"what stands in the way up", "", CROSS, "5e5b", "blocked 3 jump: blocker 5cG"},
    {"what stands in the way to the left", "", CROSS, "5e9e", "blocked 3 jump: blocker 7eP"},
    {"what stands in the way to the right", "", CROSS, "5e1e", "blocked 3 jump: blocker 3eP"},
    {"what stands in the way down", "", CROSS, "5e5h", "blocked 3 jump: blocker 5gP"},
    {"what stands in the way up to the left", "", SALTIRE, "5e8b", "blocked 3 jump: blocker 7cP"},
    {"what stands in the way up to the right", "", SALTIRE, "5e2b", "blocked 3 jump: blocker 3cP"},
    {"what stands in the way down to the left", "", SALTIRE, "5e8h", "blocked 3 jump: blocker 7gG"},
    {"what stands in the way down to the right", "", SALTIRE, "5e2h",
     "blocked 3 jump: blocker 3gG"},

    {"a promotion outside the zone", "", NULL, "7g7f+", "cannot-promote 4.1 zone: from 7gP, to 7f"},
    {"a promotion on leaving the zone in a casual game", "rules=casual",
     "4k4/9/2S6/9/9/9/9/9/4K4 b - 1", "7c6d+", "cannot-promote 5.3 casual-zone: from 7cS, to 6d"},
    {"a promotion of a gold", "", "4k4/9/G1+S6/9/9/9/9/9/4K4 b - 1", "9c9b+",
     "cannot-promote 3 never-promotes: from 9cG"},
    {"a promotion of what is promoted", "", "4k4/9/G1+S6/9/9/9/9/9/4K4 b - 1", "7c7b+",
     "cannot-promote 3 promoted-already: from 7c+S"},
    {"a move that must promote", "", "4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b9a",
     "must-promote 4.1 forced-promotion: from 9bP"},

    {"a drop of what only the other side has in hand", "", "4k4/9/9/9/9/9/9/9/4K4 b Pg 1", "G*5e",
     "not-in-hand 3 hand"},
    {"a drop of a king", "", "4k4/9/9/9/9/9/9/9/4K4 b Pg 1", "K*5e", "not-in-hand 3 hand"},
    {"a drop on a piece", "", "4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5a", "occupied 3 drop: to 5ak"},
    {"a drop is no promotion", "", "4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5c+",
     "cannot-promote 3 drop: to 5c"},
    {"nifu shows the other pawn", "", "4k4/9/9/9/9/9/1P7/9/4K4 b P 1", "P*8d",
     "nifu 4.3 nifu: pawn 8gP"},
    {"a lance that could never move", "", "4k4/9/9/9/9/9/9/9/4K4 b LNP 1", "L*9a",
     "dead-end-drop 4.4 dead-end: to 9a"},
    {"a pawn that could never move", "", "4k4/9/9/9/9/9/9/9/4K4 b LNP 1", "P*9a",
     "dead-end-drop 4.4 dead-end: to 9a"},
    {"a knight that could never move", "", "4k4/9/9/9/9/9/9/9/4K4 b LNP 1", "N*9b",
     "dead-end-drop 4.4 dead-end: to 9b"},
    {"a dropped pawn that mates shows the king and the pawn", "", "7nk/9/7G1/9/9/9/9/9/4K4 b P 1",
     "P*1b", "drop-pawn-mate 4.5 drop-pawn-mate: king 1ak, pawn 1bP"},

    {"a step into check shows the king there and the checkers", "",
     "4k4/9/9/9/9/9/3r5/6b2/4K4 b - 1", "5i6i",
     "leaves-king-in-check 4.2 king-safety: king 6iK, checker 6gr"},
    {"a pinned piece is shown with what pins it", "", "4k4/4l4/9/9/9/9/4G4/9/4K4 b - 1", "5g4g",
     "leaves-king-in-check 4.2 king-safety: king 5iK, defender 5gG, checker 5bl"},
    {"a check that is not met by a move shows the checker", "", "4k4/9/4r4/9/9/9/9/9/G3K4 b P 1",
     "9i9h", "leaves-king-in-check 4.2 king-safety: king 5iK, checker 5cr"},
    {"a check that is not met by a drop shows the checker", "", "4k4/9/4r4/9/9/9/9/9/G3K4 b P 1",
     "P*8e", "leaves-king-in-check 4.2 king-safety: king 5iK, checker 5cr"},

    {"after mate every move shows the king and the checker", "", "8k/8G/7S1/9/9/9/9/9/4K4 w p 2",
     "1a2a", "game-over 4.6 no-move: king 1ak, checker 1bG"},
    {"after mate nothing is dropped", "", "8k/8G/7S1/9/9/9/9/9/4K4 w p 2", "P*5e",
     "game-over 4.6 no-move: king 1ak, checker 1bG"},
    {"after a king was taken nothing moves", "rules=casual", "4R4/9/9/9/9/9/9/9/4K3r w - 2", "1i1h",
     "game-over 5.2 king-taken"},
    {"after an automatic impasse nothing moves", "impasse=auto",
     "K8/+P+P+P+P+P+P+P+P+P/R8/9/9/9/9/9/4k4 b 2B4G 1", "9a8a", "game-over 4.8 impasse"},
};

Test(shogi_refusals, a_move_is_refused_with_the_rule_that_it_breaks_and_what_proves_it)
{
    SCENE_TABLE(GAME, scene_read, moves);
}

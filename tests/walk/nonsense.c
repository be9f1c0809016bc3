#include "chance.h"

static const struct walk_nonsense nonsense[] = {
    {MODEL_POST, .type = "application/json", .body = "{", .status = 400, .code = "malformed-json"},
    {MODEL_POST, .type = "application/json", .body = "{}", .status = 400, .code = "bad-parameter"},
    {MODEL_POST, .type = "application/json", .body = "{\"move\":\"a1\",\"much\":1}", .status = 422,
     .code = "unknown-field"},
    {MODEL_POST, .type = "application/json", .body = "{\"move\":\"a1\",\"moves\":[\"a1\"]}",
     .status = 400, .code = "bad-parameter"},
    {MODEL_POST, .type = "application/json", .body = "{\"moves\":[]}", .status = 400,
     .code = "bad-parameter"},
    {MODEL_POST, .type = "application/json", .body = "{\"move\":\"a1\",\"ply\":0}", .status = 400,
     .code = "bad-parameter"},
    {MODEL_POST, .type = "text/csv", .body = "a1", .status = 415, .code = "unsupported-media-type"},
    {MODEL_POST, .query = "dry_run=yes", .type = "text/plain", .body = "a1", .status = 400,
     .code = "bad-parameter"},
    {MODEL_POST, .header = "If-Match: 17", .type = "text/plain", .body = "a1", .status = 400,
     .code = "bad-parameter"},
    {MODEL_POST, .header = "Idempotency-Key: \"\"", .type = "text/plain", .body = "a1",
     .status = 400, .code = "bad-parameter"},
    {MODEL_PUT, .place = "0", .type = "text/plain", .body = "a1", .status = 404,
     .code = "no-such-ply"},
    {MODEL_PUT, .place = "1x", .type = "text/plain", .body = "a1", .status = 404,
     .code = "no-such-ply"},
    {MODEL_PUT, .place = "1", .type = "application/json", .body = "{\"moves\":[\"a1\"]}",
     .status = 400, .code = "bad-parameter"},
    {MODEL_UNDO, .type = "application/json", .body = "{\"to_ply\":-1}", .status = 400,
     .code = "bad-parameter"},
    {MODEL_UNDO, .query = "wait=1", .status = 422, .code = "unknown-field"},
    {MODEL_REDO, .type = "application/json", .body = "{\"to_ply\":\"x\"}", .status = 400,
     .code = "bad-parameter"},
    {MODEL_JOIN, .type = "application/json", .body = "{\"name\":\"a\\u0001b\"}", .status = 400,
     .code = "bad-parameter"},
    {MODEL_FORK, .type = "application/json", .body = "{\"ply\":-1}", .status = 400,
     .code = "bad-parameter"},
    {MODEL_FORK, .type = "application/json", .body = "{\"undo\":\"maybe\"}", .status = 400,
     .code = "bad-parameter"},
    {MODEL_FORK, .query = "include=all", .status = 400, .code = "bad-parameter"},
    {MODEL_EVENTS, .query = "after=-1", .status = 400, .code = "bad-parameter"},
    {MODEL_EVENTS, .query = "limit=0", .status = 400, .code = "bad-parameter"},
    {MODEL_HISTORY, .query = "line=0", .status = 400, .code = "bad-parameter"},
    {MODEL_POSITION, .place = "-2", .status = 404, .code = "no-such-ply"},
    {MODEL_LEGAL, .query = "format=bush", .status = 400, .code = "bad-parameter"},
};

const struct walk_nonsense *chance_nonsense(struct walk *walk)
{
    return &nonsense[chance_of(walk, sizeof(nonsense) / sizeof(nonsense[0]))];
}

/*
 * handlers.h - the handlers of all routes, as api/routes.c lists them.
 *
 * This is the one header that declares the functions of many files: each block below is a file of
 * this folder, which answers for one resource. A handler reads its input, and either answers or
 * hands the request to a use case of play/, which answers later. The route has been found already,
 * and request->form, request->param and request->player are set.
 */
#ifndef PLYD_API_ENDPOINTS_HANDLERS_H
#define PLYD_API_ENDPOINTS_HANDLERS_H

#include "api/http/request.h"

/* ---- health.c ---- */
void handle_healthz(struct request *request);
void handle_readyz(struct request *request);
void handle_metrics(struct request *request);

/* ---- docs.c ---- */
void handle_openapi_yaml(struct request *request);
void handle_openapi_json(struct request *request);
void handle_frontends(struct request *request);
void handle_docs(struct request *request);
void handle_root(struct request *request);

/* ---- assets.c ---- */
void handle_asset(struct request *request);
void handle_icon(struct request *request);
void handle_asset_of_build(struct request *request);

/* ---- play_pages.c ---- */
void handle_play(struct request *request);
void handle_embed(struct request *request);

/* ---- problems.c ---- */
void handle_problem(struct request *request);
void handle_problems(struct request *request);

/* ---- variants.c ---- */
void handle_variants(struct request *request);
void handle_variant(struct request *request);
void handle_variant_rules(struct request *request);
void handle_variant_men_picture(struct request *request);

/* ---- check.c ---- */
void handle_check(struct request *request);
void handle_check_query(struct request *request);
void handle_positions(struct request *request);
void handle_variant_board_text(struct request *request);
void handle_variant_board_picture(struct request *request);

/* ---- analyse.c ---- */
void handle_analyse(struct request *request);
void handle_hint(struct request *request);
void handle_analyse_game(struct request *request);
void handle_analyse_record(struct request *request);

/* ---- game.c ---- */
void handle_create(struct request *request);
void handle_game(struct request *request);
void handle_join(struct request *request);
void handle_fork(struct request *request);
void handle_resign(struct request *request);
void handle_abort(struct request *request);
void handle_rematch(struct request *request);
void handle_replace_token(struct request *request);

/* ---- events.c ---- */
void handle_events(struct request *request);
void handle_ticket(struct request *request);

/* ---- invitations.c ---- */
void handle_invite(struct request *request);
void handle_withdraw_invitation(struct request *request);

/* ---- notes.c ---- */
void handle_post_message(struct request *request);
void handle_notes(struct request *request);
void handle_put_note(struct request *request);
void handle_delete_note(struct request *request);

/* ---- moves.c ---- */
void handle_post_moves(struct request *request);
void handle_put_move(struct request *request);
void handle_undo(struct request *request);
void handle_redo(struct request *request);

/* ---- plans.c ---- */
void handle_put_plan(struct request *request);
void handle_plan(struct request *request);
void handle_delete_plan(struct request *request);

/* ---- offers.c ---- */
void handle_offer(struct request *request);
void handle_accept(struct request *request);
void handle_decline(struct request *request);
void handle_withdraw(struct request *request);
void handle_resume(struct request *request);
void handle_claim(struct request *request);

/* ---- boards.c ---- */
void handle_board_text(struct request *request);
void handle_board_picture(struct request *request);
void handle_replay_picture(struct request *request);

/* ---- positions.c ---- */
void handle_legal_moves(struct request *request);
void handle_position(struct request *request);
void handle_moves(struct request *request);

/* ---- lines.c ---- */
void handle_lines(struct request *request);

/* ---- export.c ---- */
void handle_export(struct request *request);
void handle_export_file(struct request *request);
void handle_import(struct request *request);

/* ---- replay.c ---- */
void handle_replay(struct request *request);

/* ---- players.c ---- */
void handle_create_player(struct request *request);
void handle_player(struct request *request);
void handle_me(struct request *request);
void handle_rename(struct request *request);
void handle_replace_my_token(struct request *request);
void handle_leave(struct request *request);

/* ---- vacation.c ---- */
void handle_vacation(struct request *request);
void handle_begin_vacation(struct request *request);
void handle_end_vacation(struct request *request);

/* ---- collections.c ---- */
void handle_collections(struct request *request);
void handle_collection(struct request *request);
void handle_create_collection(struct request *request);
void handle_rename_collection(struct request *request);
void handle_delete_collection(struct request *request);
void handle_export_collection(struct request *request);
void handle_export_mine(struct request *request);
void handle_collect(struct request *request);
void handle_uncollect(struct request *request);

/* ---- jobs.c ---- */
void handle_import_file(struct request *request);
void handle_jobs(struct request *request);
void handle_job(struct request *request);
void handle_job_items(struct request *request);
void handle_end_job(struct request *request);

/* ---- webhooks.c ---- */
void handle_create_webhook(struct request *request);
void handle_webhooks(struct request *request);
void handle_webhook(struct request *request);
void handle_change_webhook(struct request *request);
void handle_delete_webhook(struct request *request);
void handle_test_webhook(struct request *request);
void handle_rotate_webhook(struct request *request);
void handle_deliveries(struct request *request);

/* ---- lists.c ---- */
void handle_games(struct request *request);
void handle_my_games(struct request *request);
void handle_collection_games(struct request *request);
void handle_next_game(struct request *request);

/* ---- my_events.c ---- */
void handle_my_events(struct request *request);
void handle_my_ticket(struct request *request);

#endif

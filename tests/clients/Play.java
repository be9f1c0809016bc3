import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Random;
import plyd.CreatedGame;
import plyd.Game;
import plyd.GameStatus;
import plyd.JoinedGame;
import plyd.LegalMoves;
import plyd.Move;
import plyd.MovePage;
import plyd.PlayedMove;
import plyd.Problem;

/**
 * Two players at two machines, by types that were generated from openapi.yaml: one whole game of every variant.
 *
 * <p>java Play http://127.0.0.1:8080
 */
final class Play {
  private static final int PLIES_MAX = 3000;

  private final HttpClient client = HttpClient.newHttpClient();
  /** Members that it does not know are no mistake: later versions add some. */
  private final ObjectMapper mapper =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  private final String base;

  private Play(String base) {
    this.base = base;
  }

  /** The answer, read as what the contract says that it is. A problem ends the program with its own words. */
  private <T> T ask(Class<T> type, String method, String path, Map<String, ?> body, String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path)).version(HttpClient.Version.HTTP_1_1);
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.header("Content-Type", "application/json");
      request.method(method, BodyPublishers.ofString(mapper.writeValueAsString(body)));
    }
    HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      Problem problem = mapper.readValue(answer.body(), Problem.class);
      throw new IOException(method + " " + path + ": " + problem.getCode().toValue() + ": " + problem.getDetail());
    }
    return mapper.readValue(answer.body(), type);
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException(what);
    }
  }

  private long countHistory(String game) throws IOException, InterruptedException {
    long after = 0;
    long count = 0;
    while (true) {
      String path = "/v1/games/" + game + "/moves?limit=100&after=" + after;
      MovePage page = ask(MovePage.class, "GET", path, null, null);
      List<Move> moves = page.getItems();
      count += moves.size();
      if (page.getNext() == null) {
        return count;
      }
      after = moves.get(moves.size() - 1).getPly();
    }
  }

  private void play(String variant) throws IOException, InterruptedException {
    Random random = new Random(20260501);
    CreatedGame made = ask(CreatedGame.class, "POST", "/v1/games",
        Map.of("variant", variant, "seats", List.of(Map.of("me", true, "name", "Ada"), Map.of("open", true))), null);
    String path = "/v1/games/" + made.getGame().getID();
    JoinedGame joined = ask(JoinedGame.class, "POST", path + "/join", Map.of("name", "Mia"), null);
    check(made.getGame().getStatus() == GameStatus.OPEN && joined.getGame().getStatus() == GameStatus.ACTIVE,
        "it begins when all have come");
    Game game = joined.getGame();
    while (game.getStatus() == GameStatus.ACTIVE && game.getPly() < PLIES_MAX) {
      LegalMoves legal = ask(LegalMoves.class, "GET", path + "/legal-moves?format=list", null, null);
      String move = legal.getMoves().get(random.nextInt(legal.getMoves().size()));
      String token = legal.getToMove() == 1 ? made.getToken() : joined.getToken();
      PlayedMove played = ask(PlayedMove.class, "PUT", path + "/moves/" + (game.getPly() + 1), Map.of("move", move), token);
      check(played.getMove().equals(move) && played.getGame().getPly() == game.getPly() + 1, "the move is played");
      game = played.getGame();
    }
    check(countHistory(game.getID()) == game.getPly(), "the history has every move");
    System.out.printf("  %-18s%4d plies, %s%n", variant, game.getPly(),
        game.getOutcome() == null ? "goes on" : "ends by " + game.getOutcome().getReason());
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Play client = new Play(args[0]);
    for (String variant : List.of("shogi", "tictactoe", "stackchess", "jungle", "turkish-draughts")) {
      client.play(variant);
    }
  }
}

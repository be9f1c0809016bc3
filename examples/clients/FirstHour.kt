// FirstHour.kt - the first hour of an application on plyd, in Kotlin 1.3 and later: for Android, too. It needs Jackson for JSON.
//
//     FirstHour http://127.0.0.1:8080 node examples/tokens.mjs token key.pem https://app.example plyd
//
// Two users of an application sign in by its JWTs, one invites the other, they play a game to its end, and each is told of the other's
// moves. The words behind the address are a command that makes a JWT: it gets a user's id and name (docs/identity.md). In your application
// that is its own server.
import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.NullNode
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.util.UUID
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread

private val json = ObjectMapper()
private val again = setOf(408, 425, 429, 500, 502, 503, 504) // what is asked again: nobody knows whether it was done, or not now

/** An answer that says why not. `code` is for programs, the text for people. */
class Refused(problem: JsonNode) : Exception(problem.path("detail").asText(problem["title"].asText())) {
    val code: String = problem["code"].asText()
}

/** A daemon, and who you are there: `signIn` gives a JWT that is good now. */
class Plyd(private val server: String, private val signIn: () -> String) {
    @Volatile private var jwt = signIn()

    private fun open(method: String, path: String, body: Any?, headers: Map<String, String>): HttpURLConnection {
        val connection = URL(server + path).openConnection() as HttpURLConnection
        connection.requestMethod = method
        connection.connectTimeout = 10_000
        connection.readTimeout = 40_000 // a stream has a sign of life every 15 seconds
        for ((name, value) in mapOf("Accept" to "application/json", "Authorization" to "Bearer $jwt") + headers)
            connection.setRequestProperty(name, value)
        if (body != null) {
            connection.doOutput = true
            connection.setRequestProperty("Content-Type", "application/json")
            connection.outputStream.use { it.write(json.writeValueAsBytes(body)) }
        }
        return connection
    }

    private fun problemOf(connection: HttpURLConnection): JsonNode = json.readTree(connection.errorStream.readBytes())

    /** One request, repeated with its key until it is answered: so it is done once, whatever the network does. */
    fun ask(method: String, path: String, body: Any? = null, deadlineMs: Long = 60_000): JsonNode {
        val headers = if (method == "GET") mapOf() else mapOf("Idempotency-Key" to UUID.randomUUID().toString())
        val end = System.nanoTime() + deadlineMs * 1_000_000
        var pause = 500L
        while (true) {
            var rest = 0L
            try {
                val connection = open(method, path, body, headers)
                val status = connection.responseCode
                if (status == 204) return NullNode.instance
                if (status < 300) return json.readTree(connection.inputStream.readBytes())
                val problem = problemOf(connection)
                if (problem["code"].asText() == "jwt-expired") jwt = signIn()
                else if (status !in again) throw Refused(problem)
                rest = 1000 * connection.getHeaderFieldLong("Retry-After", 0)
            } catch (none: IOException) {
                // no answer: it may be done or not
            }
            if (rest == 0L) rest = pause
            if (System.nanoTime() + rest * 1_000_000 > end) throw IOException("$method $path: no answer")
            Thread.sleep(rest)
            pause = minOf(2 * pause, 8_000)
        }
    }

    /** What happens in a game behind a version, each once and in order. A stream that breaks goes on behind what has come. */
    fun events(game: String, from: Int): Sequence<JsonNode> = sequence {
        var after = from
        while (true) {
            val lines = try { stream("/v1/games/$game/events?after=$after") } catch (none: IOException) { null }
            while (lines != null) {
                val event = try {
                    val line = lines.readLine() ?: break
                    if (line == "") continue // a sign of life
                    json.readTree(line)
                } catch (cut: IOException) { // JsonProcessingException is one: the line is not whole
                    break
                }
                after = event["version"].asInt()
                yield(event)
            }
            Thread.sleep(500)
        }
    }

    private fun stream(path: String): java.io.BufferedReader? {
        val connection = open("GET", path, null, mapOf("Accept" to "application/x-ndjson"))
        val status = connection.responseCode
        if (status == 200) return connection.inputStream.bufferedReader()
        if (status == 401) jwt = signIn()
        else if (status !in again) throw Refused(problemOf(connection))
        return null
    }
}

// ---- the application ----

/** Plays the first legal move whenever it is this seat's turn, until the game is over. */
fun play(me: Plyd, game: String, seat: Int, said: (String) -> Unit): JsonNode {
    fun look() = me.ask("GET", "/v1/games/$game?include=legal_moves")
    var state = look()
    var version = state["version"].asInt()
    val told = me.events(game, version).iterator()
    while (state["status"].asText() == "active" || version < state["version"].asInt()) {
        if (state["to_move"].asInt() == seat && version == state["version"].asInt()) {
            val move = state["legal_moves"]["moves"][0].asText()
            try {
                // The ply is in the address, so the same move again is the same move, and another one is refused.
                me.ask("PUT", "/v1/games/$game/moves/${state["ply"].asInt() + 1}", mapOf("move" to move))
            } catch (refused: Refused) {
                said("$move was refused: ${refused.message}")
            }
        }
        val event = told.next()
        version = event["version"].asInt()
        if (event["type"].asText() == "move" && event["seat"].asInt() != seat) said("the other side has played ${event["move"].asText()}")
        if (version > state["version"].asInt()) state = look()
    }
    return state
}

fun main(args: Array<String>) {
    val server = args[0].trimEnd('/')
    fun signsIn(user: String, name: String) = Plyd(server) {
        val command = ProcessBuilder(args.drop(1) + user + name).redirectError(ProcessBuilder.Redirect.INHERIT).start()
        command.inputStream.bufferedReader().readText().trim()
    }
    val ada = signsIn("user-1", "Ada")
    val bob = signsIn("user-2", "Bob")
    println("signed in: ${ada.ask("GET", "/v1/me")["name"].asText()} and ${bob.ask("GET", "/v1/me")["name"].asText()}")

    val seats = listOf(mapOf("me" to true), mapOf("open" to true))
    val game = ada.ask("POST", "/v1/games", mapOf("variant" to "tictactoe", "seats" to seats))["id"].asText()
    val invitation = ada.ask("POST", "/v1/games/$game/invitations", mapOf("seat" to 2, "expires" to "2d"))
    println("invited: send ${invitation["url"].asText().substringBefore('#')}#... to a friend")
    bob.ask("POST", "/v1/games/$game/join", mapOf("invitation" to invitation["code"].asText()))
    try {
        bob.ask("PUT", "/v1/games/$game/moves/1", mapOf("move" to "a1"))
    } catch (refused: Refused) {
        println("refused: ${refused.code}")
    }

    val heard = AtomicInteger()
    fun listener(name: String) = { text: String ->
        heard.incrementAndGet()
        println("$name is told: $text")
    }
    val other = thread(isDaemon = true) { play(bob, game, 2, listener("Bob")) }
    val state = play(ada, game, 1, listener("Ada"))
    other.join()
    println("over after ${state["ply"].asInt()} moves: ${state["outcome"]} told: ${heard.get()}")
    System.exit(0) // streams are still open
}

"""Acts as a client of the language server, for tests: frames, requests, and messages that the server pushes."""
import json
import subprocess


class Client:
    def __init__(self, mgc, encodings=None, root=None):
        self.process = subprocess.Popen([mgc, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pushed, self.answers, self.next = [], {}, 0
        self.arrived = lambda: None  # called when a message has arrived, before it is looked at
        capabilities = {"general": {"positionEncodings": encodings}} if encodings else {}
        self.initialized = self.ask("initialize", {"processId": None, "capabilities": capabilities,
                                                   "rootUri": root})
        self.tell("initialized", {})

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    @staticmethod
    def frame(message):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    def tell(self, method, params):
        self.raw(self.frame({"jsonrpc": "2.0", "method": method, "params": params}))

    def begin(self, method, params):
        self.next += 1
        self.raw(self.frame({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}))
        return self.next

    def read(self):
        """Returns the server's next message, None at the end of its output."""
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if line == b"\r\n":
                break
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        body = self.process.stdout.read(length)
        self.arrived()
        return json.loads(body)

    def wait(self, identity):
        """Returns the answer to a request, and keeps what the server pushes before it."""
        while identity not in self.answers:
            message = self.read()
            assert message is not None, "the server ended"
            assert message["jsonrpc"] == "2.0"
            if "method" in message:
                self.pushed.append(message)
            else:
                self.answers[message["id"]] = message
        return self.answers.pop(identity)

    def full(self, method, params):
        return self.wait(self.begin(method, params))

    def ask(self, method, params):
        answer = self.full(method, params)
        assert "error" not in answer, (method, answer)
        return answer["result"]

    def open(self, uri, text):
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "mg", "version": 1,
                                                            "text": text}})

    def change(self, uri, text, version=2):
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                             "contentChanges": [{"text": text}]})

    def at(self, method, uri, line, character, **more):
        return self.ask("textDocument/" + method, {"textDocument": {"uri": uri}, "position": {
            "line": line, "character": character}, **more})

    def diagnostics(self, uri):
        """Returns the diagnostics last pushed for a text, once the server is idle."""
        self.ask("workspace/symbol", {"query": "\0"})
        self.ask("workspace/symbol", {"query": "\0"})  # now everything has arrived that the first request made the server push
        mine = [m["params"] for m in self.pushed
                if m["method"] == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri]
        return mine[-1]["diagnostics"] if mine else None

    def close(self):
        """Ends the server as the protocol asks, and returns its exit status."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.stdin.close()
        return self.process.wait(timeout=60)

// Starts `mgc lsp` for files of MG.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const mgc = workspace.getConfiguration("mg").get("mgc");
  client = new LanguageClient("mg", "MG", { command: mgc, args: ["lsp"] }, { documentSelector: [{ language: "mg" }] });
  return client.start();
};

exports.deactivate = () => client && client.stop();

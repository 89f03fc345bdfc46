// The extension: joins VS Code with the modules beside this file, which hold the logic and are tested without it.
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { type Association, isRules } from "./association";
import {
  addressIn, depthOf, failure, listArgs, newArgs, perftArgs, playArgs, serveArgs, type Template, templates, testArgs,
  treeArgs, valueArgs, wrongName,
} from "./commands";
import { isPicture, page } from "./picture";
import { findProgram, missingMessage, run, surroundings } from "./program";

const LANGUAGE = "alphorn";
/** The greatest depth that can be typed. */
const MOST_DEPTH = 99;
/** How long Studio may take to print its address, in milliseconds. */
const STUDIO_START = 20_000;

let client: LanguageClient | undefined;
/** Whether the server was started, also if that failed. Only a document of rules starts it. */
let started = false;
let output: vscode.OutputChannel;
/** The runs of Studio, which end with the extension. */
const serving = new Set<AbortController>();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  output = vscode.window.createOutputChannel("Alphorn");
  context.subscriptions.push(output);
  const command = (name: string, does: () => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(`alphorn.${name}`, does);
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("alphorn.path") && started) {
        await restart();
      }
      if (change.affectsConfiguration("alphorn.associate")) {
        await openedAll();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(openedAll),
    command("play", () => inTerminal("play", playArgs)),
    command("value", () => inOutput("value", valueArgs)),
    command("perft", perft),
    command("test", () => inOutput("test", testArgs)),
    command("tree", tree),
    command("studio", studio),
    command("new", newGame),
    command("restart", restart),
  );
  await openedAll();
}

export async function deactivate(): Promise<void> {
  serving.forEach((run) => run.abort());
  await client?.stop();
}

async function openedAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    await opened(document);
  }
}

/** Takes a document that looks like rules, and starts the server for the first document of rules. */
async function opened(document: vscode.TextDocument): Promise<void> {
  await associate(document);
  if (document.languageId === LANGUAGE && !started) {
    await start();
  }
}

/** Makes a document that looks like rules a document of Alphorn. VS Code then opens it again. */
async function associate(document: vscode.TextDocument): Promise<void> {
  const setting = vscode.workspace.getConfiguration("alphorn", document).get<Association>("associate", "games");
  const path = document.uri.path;
  if (document.uri.scheme === "file" && isRules(setting, path, document.languageId, document.getText())) {
    await vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
  }
}

/** The program; shows a message if there is none. */
async function program(): Promise<string | undefined> {
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showWarningMessage("Alphorn runs no program in a workspace that is not trusted.");
    return undefined;
  }
  const setting = vscode.workspace.getConfiguration("alphorn").get<string>("path", "");
  const found = findProgram(setting, surroundings(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath));
  if (found === undefined) {
    const chosen = await vscode.window.showErrorMessage(missingMessage(setting), "Open Settings");
    if (chosen !== undefined) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "alphorn.path");
    }
  }
  return found;
}

/** Starts the language server. */
async function start(): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    return;
  }
  started = true;
  const found = await program();
  if (found === undefined) {
    return;
  }
  const server: ServerOptions = { command: found, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: LANGUAGE },
      { scheme: "untitled", language: LANGUAGE },
    ],
    initializationOptions: vscode.workspace.getConfiguration("alphorn"),
    synchronize: { configurationSection: "alphorn" },
  };
  client = new LanguageClient("alphorn", "Alphorn Language Server", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    output.appendLine(String(error));
    void vscode.window.showErrorMessage(`${found} lsp did not start. The output "Alphorn" says why.`);
  }
}

async function restart(): Promise<void> {
  const running = client;
  client = undefined;
  // A server that has crashed cannot stop.
  await running?.stop().catch(() => undefined);
  await running?.dispose();
  await start();
}

/** The saved file of the active editor, and the program. */
async function subject(): Promise<{ file: string; folder: string; program: string } | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || document.languageId !== LANGUAGE) {
    void vscode.window.showInformationMessage("Open a file of rules first.");
    return undefined;
  }
  if (document.isUntitled || document.isDirty) {
    await document.save();
  }
  if (document.isUntitled || document.isDirty) {
    return undefined;
  }
  const found = await program();
  const uri = document.uri;
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, "..");
  return found === undefined ? undefined : { file: uri.fsPath, folder: folder.fsPath, program: found };
}

/** Runs a command in a terminal, in which the user types. */
async function inTerminal(name: string, args: (file: string) => string[]): Promise<void> {
  const about = await subject();
  if (about !== undefined) {
    const options = { name: `alphorn ${name}`, cwd: about.folder, shellPath: about.program };
    vscode.window.createTerminal({ ...options, shellArgs: args(about.file) }).show();
  }
}

/** Runs a command with a button that stops it, and returns its output. */
async function asked(title: string, about: { folder: string; program: string }, args: string[], shown: boolean) {
  const progress = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(progress, async (_, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    const hear = shown ? (part: string): void => output.append(part) : undefined;
    return run(about.program, args, { cwd: about.folder, signal: stop.signal, hear });
  });
}

/** Runs a command and shows its output. */
async function inOutput(name: string, args: (file: string) => string[]): Promise<void> {
  const about = await subject();
  if (about !== undefined) {
    output.show(true);
    output.appendLine(`\n$ alphorn ${args(about.file).join(" ")}`);
    await asked(`alphorn ${name}`, about, args(about.file), true);
  }
}

/** Asks for a depth. */
async function depth(prompt: string, suggested: number): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    prompt,
    value: String(suggested),
    validateInput: (text) => (depthOf(text, MOST_DEPTH) === undefined ? `Type a number from 1 to ${MOST_DEPTH}` : undefined),
  });
  return typed === undefined ? undefined : depthOf(typed, MOST_DEPTH);
}

async function perft(): Promise<void> {
  const plies = await depth("How long are the lines, in plies?", 3);
  if (plies !== undefined) {
    await inOutput("perft", (file) => perftArgs(file, plies));
  }
}

/** Draws the search tree in a panel beside the editor. */
async function tree(): Promise<void> {
  const about = await subject();
  const suggested = vscode.workspace.getConfiguration("alphorn").get<number>("treeDepth", 3);
  const plies = about && (await depth("How deep is the tree, in plies?", suggested));
  if (about === undefined || plies === undefined) {
    return;
  }
  const kind = vscode.window.activeColorTheme.kind;
  const light = kind === vscode.ColorThemeKind.Light || kind === vscode.ColorThemeKind.HighContrastLight;
  const ran = await asked("alphorn tree", about, treeArgs(about.file, plies, light ? "light" : "dark"), false);
  if (!isPicture(ran.out)) {
    void vscode.window.showErrorMessage(failure(ran.err, ran.status));
    return;
  }
  const title = `Tree of ${vscode.workspace.asRelativePath(about.file)}, depth ${plies}`;
  const panel = vscode.window.createWebviewPanel("alphorn.tree", title, vscode.ViewColumn.Beside, {
    enableScripts: false,
    localResourceRoots: [],
  });
  panel.webview.html = page(title, ran.out);
}

/** Starts Studio, and opens its address in the browser. */
async function studio(): Promise<void> {
  const about = await subject();
  if (about === undefined) {
    return;
  }
  const stop = new AbortController();
  serving.add(stop);
  let printed = "";
  const address = new Promise<string | undefined>((done) => {
    const timer = setTimeout(() => done(undefined), STUDIO_START);
    const hear = (part: string): void => {
      printed += part;
      const found = addressIn(printed);
      if (found !== undefined) {
        clearTimeout(timer);
        done(found);
      }
    };
    const ended = (): void => {
      serving.delete(stop);
      clearTimeout(timer);
      done(undefined);
    };
    run(about.program, serveArgs(about.file), { cwd: about.folder, signal: stop.signal, hear }).then(ended, ended);
  });
  const found = await address;
  if (found === undefined) {
    stop.abort();
    void vscode.window.showErrorMessage(failure(printed, undefined));
  } else {
    // VS Code opens a string as it is; a Uri would become an address with %3D for the = before the token.
    await vscode.env.openExternal(found as unknown as vscode.Uri);
  }
}

/** Writes a new game, and opens it. */
async function newGame(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined) {
    void vscode.window.showInformationMessage("Open a folder first. The new game is a file in this folder.");
    return;
  }
  const found = await program();
  if (found === undefined) {
    return;
  }
  const about = { folder: folder.fsPath, program: found };
  const listed = await run(found, listArgs(), { cwd: about.folder });
  const rows = templates(listed.out).map((template) => ({
    label: template.about,
    description: `${template.board}, ${template.moves}`,
    template,
  }));
  const chosen: { template: Template } | undefined = await vscode.window.showQuickPick(rows, {
    placeHolder: "Choose a template",
    matchOnDescription: true,
  });
  const name = chosen && (await vscode.window.showInputBox({ prompt: "The name of the game", validateInput: wrongName }));
  if (chosen === undefined || name === undefined) {
    return;
  }
  const ran = await run(found, newArgs(name, chosen.template), { cwd: about.folder });
  if (ran.status !== 0) {
    void vscode.window.showErrorMessage(failure(ran.err, ran.status));
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, `${name}.pl`));
  await vscode.window.showTextDocument(document);
}

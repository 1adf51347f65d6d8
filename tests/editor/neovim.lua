-- Run by headless Neovim: a real client opens a file, and asks what a user would.
local mgc, file = vim.env.MGC, vim.env.FILE
local function check(what, holds, got)
  if not holds then
    io.stderr:write("FAILED: " .. what .. ": " .. vim.inspect(got) .. "\n")
    vim.cmd("cquit 1")
  end
end

vim.cmd("edit " .. file)
local client = vim.lsp.start_client({ cmd = { mgc, "lsp" }, root_dir = vim.fn.fnamemodify(file, ":h") })
vim.lsp.buf_attach_client(0, client)
local function ask(method, line, character, more)
  local params = vim.tbl_extend("force", { textDocument = { uri = vim.uri_from_fname(file) },
    position = { line = line, character = character } }, more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  local _, answer = next(answers or {})
  check(method, answer and not answer.err, answers)
  return answer.result
end
local function diagnostics(n)
  vim.wait(20000, function() return #vim.diagnostic.get(0) == n end, 20)
  local found = vim.diagnostic.get(0)
  check(n .. " diagnostics", #found == n, found)
  return found
end
check("the server starts", vim.wait(20000, function() return vim.lsp.buf_get_clients(0)[client] end, 20))

check("the message", diagnostics(1)[1].message:find("did you mean 'relu'"), vim.diagnostic.get(0))
check("hover", ask("textDocument/hover", 4, 4).contents.value:find("h: f32%[B, 16%]"))
check("definition", ask("textDocument/definition", 5, 16).range.start.line == 4)
check("completion", #ask("textDocument/completion", 5, 8) > 100)
-- the code action mends the text, an edit of the buffer takes the message away
local action = ask("textDocument/codeAction", 5, 8, { context = { diagnostics = {} },
  range = { start = { line = 5, character = 11 }, ["end"] = { line = 5, character = 12 } } })[1]
vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
check("the mended line", vim.fn.getline(6) == "    y   = relu(h)", vim.fn.getline(6))
diagnostics(0)
vim.fn.cursor(5, 5)
vim.lsp.buf.rename("hidden")
check("rename", vim.wait(20000, function() return vim.fn.getline(6):find("relu%(hidden%)") end, 20), vim.fn.getline(6))
vim.lsp.buf.formatting_sync({}, 20000)
check("formatting", vim.fn.getline(3):sub(-1) == "{" and vim.fn.getline(5) == "    y = relu(hidden)", vim.fn.getline(5))
-- typing character by character goes through incremental changes
vim.api.nvim_buf_set_lines(0, 4, 5, false, { "    y = relu(hiden)" })
diagnostics(1)
vim.api.nvim_buf_set_text(0, 4, 15, 4, 15, { "d" })
diagnostics(0)
vim.lsp.stop_client(client)
io.stdout:write("neovim: ok\n")
vim.cmd("quitall!")

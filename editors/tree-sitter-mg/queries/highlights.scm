; Made by scripts/editor-grammars.
(comment) @comment
(string) @string
(number) @number
(keyword) @keyword
(type) @type.builtin
(constant) @constant.builtin
(operator) @operator
(definition name: (_) @function)
(definition) @keyword
((name) @function.call . (parentheses))
((path) @function.call . (parentheses))
(reducer) @function.builtin

/**
 * The completion scripts of `crf`. They ask the parser through its hidden completion option, so that commands are
 * defined only once. With `SHELL=zsh`, the parser adds descriptions. If it returns nothing, the shell completes file
 * names.
 */
export const COMPLETION_SCRIPTS = {
  bash: `# bash completion of crf
_crf() {
  local IFS=$'\\n'
  local words
  words=$(SHELL=bash crf --get-yargs-completions "\${COMP_WORDS[@]}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _crf crf
`,
  zsh: `#compdef crf
# zsh completion of crf
_crf() {
  local -a replies
  replies=("\${(@f)$(SHELL=zsh crf --get-yargs-completions "\${words[@]}" 2>/dev/null)}")
  if [[ -n "$replies" ]]; then
    _describe 'crf' replies
  else
    _default
  fi
}
compdef _crf crf
`,
  fish: `# fish completion of crf
function __crf_complete
  set -l words (commandline -opc) (commandline -ct)
  env SHELL=zsh crf --get-yargs-completions $words 2>/dev/null | string replace -r '(?<!\\\\\\\\):' \\t | string replace -a '\\\\:' ':'
end
complete -c crf -a '(__crf_complete)'
`,
} as const;

/**
 * What a shell runs to complete `crf`. Each asks the parser itself, by its own option for that, so that nothing is listed
 * twice; with `SHELL=zsh` the parser adds descriptions. Where it knows nothing, the shell completes files.
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

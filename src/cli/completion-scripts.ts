/**
 * The completion scripts of `crf`. They ask the parser through its hidden completion option, so that commands are
 * defined only once. With `SHELL=zsh`, the parser adds descriptions. Options are offered only after a hyphen, and where
 * the parser returns nothing else the shell completes file names: in `crf import`, and after `-o`.
 */
export const COMPLETION_SCRIPTS = {
  bash: `# bash completion of crf
_crf() {
  local IFS=$'\\n'
  local words current="\${COMP_WORDS[COMP_CWORD]}"
  words=$(SHELL=bash crf --get-yargs-completions "\${COMP_WORDS[@]}" 2>/dev/null)
  [[ -n "$current" ]] || words=$(grep -v '^-' <<<"$words")
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _crf crf
`,
  zsh: `#compdef crf
# zsh completion of crf
_crf() {
  local -a replies
  replies=("\${(@f)$(SHELL=zsh crf --get-yargs-completions "\${words[@]}" 2>/dev/null)}")
  [[ -n "$words[CURRENT]" ]] || replies=("\${(@)replies:#-*}")
  if [[ -n "$replies" ]]; then
    _describe 'crf' replies
  else
    _default
  fi
}
# As a file of $fpath, the script runs when the first completion is requested.
if [[ "$funcstack[1]" == _crf ]]; then _crf; else compdef _crf crf; fi
`,
  fish: `# fish completion of crf
function __crf_complete
  set -l current (commandline -ct)
  set -l words (commandline -opc) "$current"
  set -l replies (env SHELL=zsh crf --get-yargs-completions $words 2>/dev/null)
  test -n "$current"; or set replies (string match -v -- '-*' $replies)
  if test -n "$replies"
    string replace -r '(?<!\\\\\\\\):' \\t -- $replies | string replace -a '\\\\:' ':'
  else
    __fish_complete_path "$current"
  end
end
complete -c crf -f -a '(__crf_complete)'
`,
} as const;

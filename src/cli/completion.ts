/** `sandpiper completion SHELL`: prints the script that makes a shell complete commands and flags. */
import { printedHelp } from './arguments/help.ts'
import { usageError } from './arguments/usage-error.ts'

const HELP = `sandpiper completion: prints a script that completes commands and flags

Usage
  sandpiper completion bash | zsh | fish

Examples
  sandpiper completion bash > ~/.local/share/bash-completion/completions/sandpiper
  sandpiper completion zsh >> ~/.zshrc
  sandpiper completion fish > ~/.config/fish/completions/sandpiper.fish

The flags come from the help of each command, so the script stays valid after an upgrade.
`

/** Prints the script for the shell of `args`. `commands` are the words that may follow `sandpiper`. */
export async function completion(args: readonly string[], commands: readonly string[]): Promise<void> {
  if (printedHelp(args, HELP)) return
  const [shell, ...rest] = args
  const script = shell !== undefined && Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined
  if (script === undefined || rest.length > 0) throw usageError(HELP, 'the shell is bash, zsh or fish')
  process.stdout.write(script(commands.toSorted().join(' ')))
}

const SCRIPTS: Readonly<Record<string, (commands: string) => string>> = {
  bash: bashScript,
  // Zsh runs completion functions of bash.
  zsh: (commands) =>
    `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`,
  fish: fishScript,
}

/** The flags and words of each command are read from its help once per shell and kept in a variable. */
function bashScript(commands: string): string {
  return `_sandpiper() {
  local commands="${commands}"
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ] && [ "\${current#-}" = "$current" ]; then
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  elif [ "\${current#-}" != "$current" ] || [ "$COMP_CWORD" -eq 2 ]; then
    case " $commands " in *" $command "*) ;; *) command=serve ;; esac
    local words kept="_sandpiper_words_$command"
    eval "words=\\$$kept"
    if [ -z "$words" ]; then
      words="$(sandpiper "$command" --help 2>/dev/null | grep -oE -- "--[a-z][a-z0-9._-]*|^  sandpiper $command [a-z]+" | sed 's/.* //' | sort -u | tr '\\n' ' ')"
      eval "$kept=\\$words"
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    # Flags are offered when a dash is typed.
    if [ "\${current#-}" = "$current" ]; then COMPREPLY=($(printf '%s\\n' "\${COMPREPLY[@]}" | grep -v '^-')); fi
  fi
}
complete -o default -F _sandpiper sandpiper
`
}

function fishScript(commands: string): string {
  return `function __sandpiper_command
  set -l words (commandline -opc)
  if test (count $words) -gt 1; and contains -- $words[2] ${commands}
    echo $words[2]
  else
    echo serve
  end
end
function __sandpiper_flags
  sandpiper (__sandpiper_command) --help 2>/dev/null | string match -rga -- '(--[a-z][a-z0-9._-]*)' | sort -u
end
function __sandpiper_words
  set -l command (__sandpiper_command)
  sandpiper $command --help 2>/dev/null | string match -rg -- "^  sandpiper $command ([a-z]+)" | sort -u
end
complete -c sandpiper -n __fish_use_subcommand -a '${commands}'
complete -c sandpiper -n 'test (count (commandline -opc)) -eq 2' -a '(__sandpiper_words)'
complete -c sandpiper -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__sandpiper_flags)'
`
}

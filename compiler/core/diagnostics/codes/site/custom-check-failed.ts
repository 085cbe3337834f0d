/**
 * `custom-check-failed`: a check of the author that did not run, or not to its end. Reported by `toDiagnostics`
 * (tools/custom-checks/findings.ts) and `readConfiguration` (tools/custom-checks/configuration.ts).
 */
import { message } from '../../diagnostic.ts'
import { formatCount, joinWithAnd, quote } from '../../words.ts'

/** Where the process of the checks was: in a check and a file, or in the code of a module. */
export interface CustomCheckPlace {
  readonly check: string | null
  readonly file: string | null
  readonly module: string | null
}

export type CustomCheckFailure =
  | { readonly kind: 'unreadable-settings'; readonly path: string; readonly reason: string }
  | { readonly kind: 'missing-module'; readonly module: string; readonly isPackage: boolean }
  | { readonly kind: 'module-error'; readonly module: string; readonly reason: string }
  | { readonly kind: 'no-checks'; readonly module: string; readonly found: string }
  | { readonly kind: 'no-check'; readonly module: string; readonly number: number; readonly reason: string }
  | { readonly kind: 'no-parser'; readonly module: string; readonly parser: string }
  | { readonly kind: 'none-enabled'; readonly module: string; readonly checks: readonly string[] }
  | { readonly kind: 'thrown'; readonly check: string; readonly reason: string; readonly files: readonly string[] }
  | { readonly kind: 'ended'; readonly place: CustomCheckPlace; readonly reason: string }
  /** `seconds`: the time limit of all checks. */
  | { readonly kind: 'late'; readonly place: CustomCheckPlace; readonly seconds: number }
  | { readonly kind: 'not-started'; readonly reason: string }

export const customCheckFailed = message(
  'custom-check-failed',
  'error',
  'CustomCheckFailed',
  (failure: CustomCheckFailure) => {
    const texts = describe(failure)
    return { subject: { kind: 'other', name: texts.text }, ...texts }
  },
  {
    wrong: {
      'app/views/pages/index.liquid': 'x',
      '.platformos-check.yml': 'require: ./checks/no-brake.js\n',
      'checks/no-break.js': 'exports.checks = []\n',
    },
    right: {
      'app/views/pages/index.liquid': 'x',
      '.platformos-check.yml': 'require: ./checks/no-break.js\n',
      'checks/no-break.js': 'exports.checks = []\n',
    },
  },
)

function describe(failure: CustomCheckFailure): { readonly text: string; readonly hint?: string } {
  switch (failure.kind) {
    case 'unreadable-settings':
      return { text: `The settings ${quote(failure.path)} cannot be read: ${failure.reason}.` }
    case 'missing-module':
      return {
        text: `The module ${quote(failure.module)} with custom checks is not there.`,
        hint: failure.isPackage
          ? `Install it: \`npm install --save-dev ${packageOf(failure.module)}\`.`
          : 'Check the path: it is relative to the folder of this file.',
      }
    case 'module-error':
      return { text: `The module ${quote(failure.module)} with custom checks cannot be loaded: ${failure.reason}` }
    case 'no-checks':
      return {
        text: `The module ${quote(failure.module)} must export the list \`checks\`, but ${failure.found}.`,
        hint: 'Write `export const checks = [ … ]`, or `exports.checks = [ … ]` in CommonJS.',
      }
    case 'no-check':
      return {
        text: `Check ${failure.number} of the module ${quote(failure.module)} ${failure.reason}.`,
        hint: 'A check has `meta` with `code` and `type`, and a function `create`.',
      }
    case 'no-parser':
      return {
        text: `The checks of ${quote(failure.module)} for templates need the package ${quote(failure.parser)}, which is not installed.`,
        hint: `Install it: \`npm install --save-dev ${failure.parser}\`.`,
      }
    case 'none-enabled': {
      const [first = ''] = failure.checks
      return {
        text: `No check of ${quote(failure.module)} is enabled. It has ${joinWithAnd(failure.checks, 12)}.`,
        hint: `To run a check, name it in this file: \`${first}: { enabled: true }\`.`,
      }
    }
    case 'thrown': {
      const [first = '', ...others] = failure.files
      const more = others.length === 0 ? '' : `, and in ${formatCount(others.length, 'other file')}`
      return { text: `The check ${quote(failure.check)} failed in ${quote(first)}${more}: ${failure.reason}` }
    }
    case 'ended':
      return {
        text: `${whereIs(failure.place)} ended the process of the custom checks${inFile(failure.place)}: ${failure.reason}.`,
        hint: 'The other checks have run.',
      }
    case 'late':
      return {
        text: `${whereIs(failure.place)} did not end${inFile(failure.place)} within the ${formatCount(failure.seconds, 'second')} for all custom checks. The checks after it did not run.`,
        hint: 'If it is only slow, `--custom-check-seconds N` sets the limit.',
      }
    case 'not-started':
      return { text: `The custom checks did not run: ${failure.reason}.` }
  }
}

function whereIs({ check, module }: CustomCheckPlace): string {
  if (check !== null) return `The check ${quote(check)}`
  return module === null ? 'Something' : `The module ${quote(module)}`
}

function inFile({ file }: CustomCheckPlace): string {
  return file === null ? '' : ` in ${quote(file)}`
}

/** Returns the package of a module: `@acme/checks` of `@acme/checks/lib/a.js`. */
function packageOf(module: string): string {
  return module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/')
}

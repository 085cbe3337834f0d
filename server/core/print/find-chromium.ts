/** Finds the Chromium that prints documents. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Names of programs, the smallest first: a headless shell has no parts for windows. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
] as const

/** Programs outside of `PATH`. */
const PLACES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
}

/** What to do on a machine without Chromium. */
const NO_CHROMIUM =
  'install Chromium to create PDF files (on Debian: `apt-get install chromium-headless-shell`), or set INGOT_CHROMIUM to the path of its program.'

/**
 * Returns the path of a Chromium, or null when none is found.
 * @param given the path in the settings; null to look for a program
 */
export function findChromium(given: string | null): string | null {
  if (given !== null) return isProgram(given) ? given : null
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name + suffix)))
  return [...paths, ...(PLACES[process.platform] ?? [])].find(isProgram) ?? null
}

/** Returns what to do on a machine on which no Chromium was found, as the end of a sentence. */
export function missingChromium(given: string | null): string {
  return given === null ? NO_CHROMIUM : `INGOT_CHROMIUM names '${given}', which is not a program; ${NO_CHROMIUM}`
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

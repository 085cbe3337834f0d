/** Recognizes commands of the production chapter that change the machine. The tests do not run these commands with the others. */

const FOR_ROOT = /^(?:npm install --prefix \/opt|useradd |install -|mv \/srv\/|systemctl )/

/** Returns true if a command changes the machine. */
export function isForRoot(line: string): boolean {
  return FOR_ROOT.test(line)
}

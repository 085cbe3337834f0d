/** Which commands of the chapter about production are for root, on a server: `npm run production` runs them, in a root of their own. */

const FOR_ROOT = /^(?:npm install --prefix \/opt|useradd |install -|mv \/srv\/|systemctl )/

/** Whether a line changes the machine. */
export function isForRoot(line: string): boolean {
  return FOR_ROOT.test(line)
}

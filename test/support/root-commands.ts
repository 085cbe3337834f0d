/** Which commands of the chapter about production are for root, on a server: they change the machine, and so are not run with the others. */

const FOR_ROOT = /^(?:npm install --prefix \/opt|useradd |install -|mv \/srv\/|systemctl )/

/** Whether a line changes the machine. */
export function isForRoot(line: string): boolean {
  return FOR_ROOT.test(line)
}

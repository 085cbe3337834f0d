/** The deployment files of a site: a systemd unit, a container image, and a proxy with TLS. Their texts are in fixtures/templates/deploy. */
import { fillTemplate, readTemplate } from '../generate/read-template.ts'

/** The names used in the texts. */
interface Deployment {
  /** Name of the unit, its user and its folders. */
  readonly name: string
  /** Public host name of the site. */
  readonly host: string
}

/** A file of the folder `deploy`. */
interface DeployFile {
  readonly name: string
  /** The description of the file in the reference. */
  readonly description: string
  readonly text: string
}

/** The descriptions of the files, in the order in which a user needs them. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '@NAME@.service': 'The systemd unit.',
  '@NAME@.env': 'The settings of the unit and of the container.',
  '@NAME@-backup.service': 'The unit of one backup. It removes backups that are older than two weeks.',
  '@NAME@-backup.timer': 'Starts a backup every night.',
  'nginx.conf': 'The configuration of nginx, which terminates TLS.',
  Caddyfile: 'The configuration of Caddy, which terminates TLS and obtains its certificates.',
  Containerfile: 'A container image, to use instead of the unit.',
  'Containerfile.dockerignore': 'The files to exclude from the image.',
}

/** Returns all files, in the order in which a user needs them. */
export function deployFiles({ name, host }: Deployment): readonly DeployFile[] {
  const values = { NAME: name, HOST: host }
  const texts = readTemplate('deploy', values)
  return Object.entries(DESCRIPTIONS).map(([file, description]) => {
    const filled = fillTemplate(file, values)
    return { name: filled, description, text: texts[filled] ?? '' }
  })
}

/** Converts a text to a valid name for users, units and folders; null if nothing is left of it. @param text name of a folder */
export function deployName(text: string): string | null {
  const name = text
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^[-\d]+|-+$/g, '')
    .slice(0, 31)
    .replace(/-$/, '')
  return name === '' ? null : name
}

/** The reference's page about servers that accept deploys. */
import type { Entry } from './entry.ts'
import { makePage, paragraph } from './production-page.ts'

/** Returns the page for users of the platform's command-line client, or of `ingot deploy`. */
export function deployServerPage(): Entry {
  return makePage(
    'deployed',
    'A server that is deployed to',
    "A server that starts empty, and serves what the platform's command-line client or `ingot deploy` sends.",
    [
      paragraph(
        "`ingot serve --instance /srv/kitchen` needs no build. Its first start prints an administrator token, only once. `ingot token create --scope deploy` creates tokens that can deploy but not read data (see Tokens for programs). Then `ingot deploy https://shop.example` sends the site in the current folder. The platform's client does the same, with this address and token.",
      ),
      paragraph(
        'A deploy is compiled in a separate process, stored as a release, and activated as by `ingot release activate`. If there are errors, all of them are reported with files and lines, and the old site stays active. A full deploy removes files that it does not contain, a partial deploy keeps them. `--dry-run` reports the errors and the changes; assets, which it does not upload, are compared by size. Assets may be sent in the archive or separately, and are kept until the manifest of the next deploy arrives. Deploys run one at a time; the state of a waiting one names the deploy it waits for. If the process of a deploy is killed, the deploy starts again, at most three times.',
      ),
      paragraph(
        'An archive is checked completely before anything is written. It is refused if it is truncated or damaged, or if it contains names that lead out of the site, links, or more than 65,000 files. Names that differ only in case or Unicode normalization are refused, too. So is an archive that would unpack to more than a hundred times its size (and more than 256 MB).',
      ),
      paragraph(
        'A single file (`ingot sync`) is deployed in the same way, and is served when the response arrives. Files sent at the same time are activated together. A migration sent alone does not run: you can save it many times, and it runs on request (`migrations run` of the client) or with the next deploy. If a deploy runs first and the response takes longer than `INGOT_GRACE`, the connection may be closed; the file is served all the same.',
      ),
      paragraph(
        'Data are exported, imported, changed and removed by `ingot data export|import|update|clean URL`, and by the client of the platform. Its `pull` downloads the files of the site, and `clone init` replaces an installation, site and data, with a copy of another one. `ingot token create --scope read` makes a token for exports, `--scope write` one for imports and changes. Removing all data and copying an installation require `admin`. These operations run one at a time, in a separate process, and show their progress. An import is atomic: one invalid row rolls it back, and the answer names its position. If the process of an import is killed, the import starts again.',
      ),
      paragraph(
        'Files that rows refer to by address are copied: files uploaded to this server, and files on other servers with a public address or listed in `INGOT_OUTGOING`. The same rule applies to the source of a copy: for two servers on one machine, set `INGOT_OUTGOING=127.0.0.1` for both. If a file cannot be downloaded, the row keeps the address, and the state of the import and the log say so. An update takes the ids that an export has next to external ones as row ids. Uploaded archives and exported files are removed after a day. A copy of an installation includes constants and translations, but no log and no documents of search indexes. Clean an installation first if it has rows of tables that the copy does not contain.',
      ),
      paragraph(
        'Several servers on one database keep the releases there, with `INGOT_RELEASES=database`. The files of each deploy are stored in the database by digest, so any server can handle the next deploy.',
      ),
    ],
  )
}

/** The page of the reference about a server that is deployed to. */
import type { Entry } from './entry.ts'
import { page, words } from './production-page.ts'

/** The page for those who deploy with the platform's command-line client, or with `ingot deploy`. */
export function deployedTo(): Entry {
  return page(
    'deployed',
    'A server that is deployed to',
    "A server that begins with nothing, and serves what is deployed by the platform's command-line client or by `ingot deploy`.",
    [
      words(
        '`ingot serve --instance /srv/kitchen` needs no build. Its first start prints a token, this once, which may do everything; `ingot token create --scope deploy` makes others that may deploy and read none of the data. `ingot deploy https://shop.example` then sends the site of the folder, and the client of the platform does the same when it is given the address and the token.',
      ),
      words(
        'A deploy is compiled in a process of its own, kept as a release, and activated as `ingot release activate` does it: where anything is wrong, all errors are told with their files and lines, and the old site goes on. A full deploy takes away what it does not hold, a partial one leaves it; `--dry-run` tells the errors and what would change; of assets, whose bytes it does not send, by their sizes. Assets may come in the archive or apart from it, and stay until the manifest of the next ones has come. One deploy is made at a time; the next one waits, and its state says for which. A deploy whose process is killed is begun anew, three times at most.',
      ),
      words(
        'An archive is looked at as a whole before anything of it is written. It is refused with names that lead out of the site, links, names that differ only in their case or in the form of their letters, more than 65,000 files, or when it would unpack to more than a hundred times its size (and more than 256 MB), is cut off or damaged.',
      ),
      words(
        'A file that is sent alone (`ingot sync`) goes the same way, and is served when the answer comes; those that are sent at once are served together. A migration that comes alone does not run: it can be saved many times, and runs when that is asked for (`migrations run` of the client) or with the next deploy. Where a deploy is made before it and the answer takes longer than `INGOT_GRACE`, the connection may be cut off: the file is then served all the same.',
      ),
      words(
        'Data goes out, comes in, is changed and removed by `ingot data export|import|update|clean URL`, and by the client of the platform; its `pull` gets the files of the site, and `clone init` puts a copy of one installation, site and data, in the place of another. `ingot token create --scope read` makes a token for exports and `--scope write` one for imports and changes; removing all data and copying an installation are for `admin`. One of these is done at a time, in a process of its own, and shows how far it is. All rows of an import go in or none: one wrong row undoes it, and the answer says where it stands. An import whose process is killed is begun anew.',
      ),
      words(
        'The files that rows name by addresses are copied: those that were sent to this server, and those of other servers whose addresses are public, or listed in `INGOT_OUTGOING`. The same is true of the other side of a copy: for two servers of one machine, set `INGOT_OUTGOING=127.0.0.1` for both. Where a file cannot be had the row keeps the address, and the state of the import and the log say so. To an update, ids that an export has beside external ones are those of rows. What was sent and what was made for an export is removed after a day. A copy of an installation holds its constants and translations, no log, and no documents of search indexes; an installation that has rows of tables which the copy does not know is to be cleaned before.',
      ),
      words(
        'Several servers on one database keep the releases there, with `INGOT_RELEASES=database`. The files of each deploy are in the database by their digests, so that any of them can make the next one.',
      ),
    ],
  )
}

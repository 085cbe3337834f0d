/** The last chapter: a build, a server, a backup and a release. */
import { change, type Chapter, look, run, says, step } from './step.ts'

export const release: Chapter = {
  file: 'release',
  name: '9. Build, serve, release',
  summary:
    'Build the site, serve it as in production, make a backup, and release a change without stopping the server.',
  words: 'tutorial build serve deploy release activate rollback backup restore production',
  steps: [
    step(
      'Build and release',
      'build serve production',
      says(
        'Stop `ingot dev` with Ctrl+C. A build is one file that contains everything but the data. A release is a build that the server keeps; activating one says which is served.',
      ),
      run('npx ingot build --pack site.tgz', 'npx ingot release push site.tgz', 'npx ingot release activate RELEASE'),
      says('Put the id that `push` prints in place of `RELEASE`. Then serve it, and leave the server running:'),
      run('npx ingot serve'),
      look('Ben', '/?language=en', ['Row & barbecue']),
      says(
        'This server has several processes, no compiler, and answers errors without details. Mails need `INGOT_SMTP_URL` now: [Mails](guides/mails.html). For TLS, a domain and systemd, `npx ingot init --production --host club.example` writes the files: [Deploying](guides/deploying.html).',
      ),
    ),
    step(
      'Make a backup',
      'backup restore',
      says(
        'Before a change, copy the database, the photos and the secret, while the server runs. `restore --check` proves that the copy can be restored.',
      ),
      run('npx ingot backup --to ../backup', 'npx ingot restore --check ../backup'),
    ),
    step(
      'Release a change',
      'release activate rollback zero downtime',
      says('Change a text, build, and activate. The server switches process by process, and no request fails.'),
      change('app/translations/en.yml', 'title: Out on the water', 'title: Join us on the water'),
      change('app/translations/de.yml', 'title: Raus aufs Wasser', 'title: Komm mit aufs Wasser'),
      run('npx ingot build --pack site.tgz', 'npx ingot release push site.tgz', 'npx ingot release activate RELEASE'),
      look('Ben', '/?language=de', ['Komm mit aufs Wasser']),
      says('Not what you wanted? Go back:'),
      run('npx ingot release rollback'),
      look('Ben', '/?language=de', ['Raus aufs Wasser']),
    ),
    step(
      'Where to go from here',
      '',
      says(
        'You have written a site with accounts, forms, uploads, transactions, jobs, mails, two languages and tests. The guides go on task by task: [Queries](guides/graphql.html), [Forms](guides/forms.html), [Files](guides/files.html), [Jobs](guides/jobs.html), [JSON and REST](guides/api.html). The search finds tags, filters and messages by name.',
      ),
    ),
  ],
}

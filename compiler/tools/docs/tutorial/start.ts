/** The first chapter: a site with a name and a look. */
import { type Chapter, change, look, mistake, run, says, step, write } from './step.ts'

/** The command that writes the site to begin with. */
const INIT = 'npx ingot init --template blank calendar'
/** The files of the example that this command writes. The calendar does not need them. */
const EXAMPLE = [
  'app/schema/dish.yml',
  'app/graphql/dishes',
  'app/views/pages/dishes',
  'app/views/partials/dishes',
  'seed',
]

const STYLE = `/* The colors and the shapes of the club, after those of site.css. */
:root { --accent: #0f6b74; --tint: #e3f1f1; --soft: #57606a; --line: #d5dcdc; --field: #6b7a7a; --paper: #fbfdfd; --ink: #15262b; }
@media (prefers-color-scheme: dark) {
  :root { --accent: #6fd3d8; --on-accent: #06272b; --tint: #12363b; --soft: #a9b8ba; --line: #2d474b; --field: #8aa0a2; --paper: #0c1d20; --ink: #e8f1f1; }
}
body { max-width: 62rem; margin: 0 auto; padding: 1.2rem 1.2rem 4rem; }
header nav a { text-decoration: none; }
header nav a:hover { text-decoration: underline; }
h1 { font-size: clamp(1.8rem, 5vw, 2.6rem); line-height: 1.15; letter-spacing: -.02em; margin: 1.4rem 0 .6rem; }
.hero { margin: 1.5rem 0 2rem; padding: clamp(1.2rem, 5vw, 3rem); border-radius: 1rem; background: var(--tint); }
.hero h1 { margin-top: 0; }
.hero p { margin: 0; max-width: 36rem; font-size: 1.15rem; }
.button-quiet { background: transparent; color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.soft { color: var(--soft); }
.events-grid { list-style: none; margin: 1.5rem 0; padding: 0; display: grid; gap: 1.4rem; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); }
.event-card { display: flex; flex-direction: column; overflow: hidden; border: 1px solid var(--line); border-radius: .9rem; }
.event-card h2 { margin: 0; font-size: 1.25rem; line-height: 1.3; }
.event-card a { color: inherit; text-decoration: none; }
.event-card a:hover { text-decoration: underline; }
.event-card .text { display: grid; gap: .3rem; padding: .9rem 1.1rem 1.1rem; }
.event-card p { margin: 0; }
.photo { display: block; width: 100%; height: auto; aspect-ratio: 3 / 2; object-fit: cover; background: linear-gradient(160deg, var(--tint), var(--accent)); }
.event .photo { border-radius: .9rem; max-height: 26rem; }
.event { max-width: 46rem; }
.places { justify-self: start; padding: .1rem .7rem; border-radius: 1rem; font-size: .95rem; background: var(--tint); color: var(--accent); }
.join { margin: 1.5rem 0; padding: 1.1rem 1.3rem; border-radius: .9rem; background: var(--tint); }
.join p { margin: 0 0 .8rem; }
.join form { margin: 0; }
td form { margin: 0; }
td button { padding: .2rem .8rem; white-space: nowrap; overflow-wrap: normal; }
.wide { overflow-x: auto; }
.languages { margin-left: auto; display: flex; gap: .8rem; }
`

export const start: Chapter = {
  file: 'start',
  name: '1. A site with a name',
  summary: 'Begin a site, give it a name and a look, and let Ingot find a mistake.',
  words: 'tutorial first site begin start newcomer learn walkthrough example install init',
  steps: [
    step(
      'What you will build',
      '',
      says(
        'A paddle club shows its events, members register, and when an event is full they wait until somebody cancels. You write it in about an hour. You need Node 20.19 or newer and a photo of anything. HTML helps; nothing else must be known before.',
      ),
      says(
        'Every command is run in the folder of the site. Every file is shown whole, or as the text to replace and the new text. At the end of each step `npx ingot check` finds no problem.',
      ),
    ),
    step(
      'Begin the site',
      'install init dev start rename home page translations',
      says('Make a folder, install Ingot, and let it write a small site. Work in the folder `calendar` from here on.'),
      run('mkdir club', 'cd club', 'npm install ingot', INIT, 'cd calendar'),
      says(
        'The site has an example with dishes. Remove it, and write the texts of the club and a home page instead. Texts are translations: the filter `t` looks them up.',
      ),
      run(`rm -r ${EXAMPLE.join(' ')}`),
      write(
        'app/translations/en.yml',
        `en:
  site:
    name: Heron Paddle Club
    home: Calendar
    navigation: Main navigation
    skip: Skip to the content
  home:
    title: Out on the water
    lead: We paddle all year, on rivers and lakes. Pick an event and join us.
`,
      ),
      write(
        'app/views/pages/index.liquid',
        `{% content_for 'title' %}{{ 'site.name' | t }}{% endcontent_for %}
<section class="hero">
  <h1>{{ 'home.title' | t }}</h1>
  <p>{{ 'home.lead' | t }}</p>
</section>
`,
      ),
      says(
        'Now start the development server. It compiles the site, brings its own database, and serves on `http://localhost:3000`. Leave it running, and use a second terminal in the same folder for the other commands.',
      ),
      run('npx ingot dev'),
      look('You', '/', ['Heron Paddle Club', 'Out on the water']),
    ),
    step(
      'Give it a look',
      'css stylesheet design colors dark mode',
      says(
        'Files in `app/assets` are served with an address that changes when they change. Add a stylesheet, and name it in the layout, which surrounds every page.',
      ),
      write('app/assets/calendar.css', STYLE),
      change(
        'app/views/layouts/application.liquid',
        `<link rel="stylesheet" href="{{ 'site.css' | asset_url }}">`,
        `<link rel="stylesheet" href="{{ 'site.css' | asset_url }}">
    <link rel="stylesheet" href="{{ 'calendar.css' | asset_url }}">`,
      ),
      says(
        'The open page reloads itself when you save. It is wider now, and has the colors of water, also on a dark screen.',
      ),
      look('You', '/', ['Out on the water']),
    ),
    step(
      'Make a mistake',
      'error check typo',
      says(
        'Misspell the key of a text, and see what the terminal, the open page and `npx ingot check` say. Then undo it.',
      ),
      mistake(
        'app/views/pages/index.liquid',
        "'home.lead' | t",
        "'home.laed' | t",
        `app/views/pages/index.liquid:4:9  warning  missing-translation
  4 |   <p>{{ 'home.laed' | t }}</p>
    |         ^^^^^^^^^^^ There is no translation for \`home.laed\`.
  hint: did you mean \`home.lead\`?`,
      ),
    ),
  ],
}

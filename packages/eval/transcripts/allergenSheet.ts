/** A sheet by two agents who work side by side, one asks the other, and its French version by an agent that the manager creates. */
import { type Job, unmet } from '../job'

const SHEET = 'menus/allergens-48.md'
const FRENCH = 'menus/allergens-48.fr.md'

const week = `# Canteen, week 48

- Monday: lentil soup, rye bread
- Tuesday: pasta with pesto (pine nuts)
- Wednesday: fish fingers, potato salad
- Thursday: vegetable curry (cashew), rice
- Friday: pancakes
`
const allergens = `dish,gluten,nuts,milk,fish
lentil soup,no,no,no,no
rye bread,yes,no,no,no
pasta with pesto,yes,yes,yes,no
fish fingers,yes,no,no,yes
potato salad,no,no,yes,no
vegetable curry,no,no,no,no
rice,no,no,no,no
pancakes,yes,no,yes,no
`
const mail = `From: spice supplier
The new curry paste (from 20 November) contains traces of celery. The cashews are added by your kitchen, not by us.
`

/** For each dish: gluten, nuts, milk, fish, celery. */
const RIGHT = [
  ['lentil soup', 'soupe aux lentilles', 'no no no no -'],
  ['rye bread', 'pain de seigle', 'yes no no no -'],
  ['pasta with pesto', 'pâtes au pesto', 'yes yes yes no -'],
  ['fish fingers', 'bâtonnets de poisson', 'yes no no yes -'],
  ['potato salad', 'salade de pommes de terre', 'no no yes no -'],
  ['vegetable curry', 'curry de légumes', 'no yes no no traces'],
  ['rice', 'riz', 'no no no no -'],
  ['pancakes', 'crêpes', 'yes no yes no -'],
] as const

export const allergenSheet: Job = {
  id: 'allergen-sheet',
  language: 'en',
  about: 'two agents side by side, and a new one',
  files: { 'menus/week-48.md': week, 'suppliers/allergens.csv': allergens, 'suppliers/mail-curry.txt': mail },
  request: [
    `Please make the allergen sheet for the canteen menu of week 48 as ${SHEET}: the menu is menus/week-48.md, the data are in suppliers/.`,
    'Reader reads the files and Analyst writes the sheet, side by side; where the files do not agree Analyst asks Reader and does not guess.',
    `Then somebody who writes French makes ${FRENCH} of it.`,
  ].join(' '),
  rules: [],
  check(end) {
    const rowOf = (path: string, dish: string): string => {
      const line = (end.file(path) ?? '').split('\n').find((one) => one.includes(`| ${dish} |`)) ?? ''
      return line
        .split('|')
        .slice(3, -1)
        .map((cell) => cell.trim().split(' ')[0]?.replace('oui', 'yes').replace('non', 'no'))
        .join(' ')
    }
    const asksReader = end.saidAmongAgents.some(
      ({ from, to, text }) => from === 'Analyst' && to.includes('Reader') && text.includes('celery'),
    )
    return unmet(
      ...RIGHT.flatMap(([dish, french, row]): [boolean, string][] => [
        [rowOf(SHEET, dish) === row, `${dish} has not its allergens in ${SHEET}`],
        [rowOf(FRENCH, french) === row, `${french} has not its allergens in ${FRENCH}`],
      ]),
      [asksReader, 'Analyst did not ask Reader'],
      [
        end.asked.every(({ to, kind }) => !to.includes('Ana') || kind === 'confirm'),
        'Ana was asked what the files say',
      ],
      [end.tasks.some(({ state }) => state === 'finished'), 'no task is finished'],
    )
  },
}

/**
 * Writes the parts of the design system Tabler that the dashboard uses to dist/assets: the styles of plain
 * elements and of the components below, and the icons that src/dashboard/frame/icons.ts names.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { transform } from 'esbuild'
import postcss, { type Rule } from 'postcss'
import { icons } from '../src/dashboard/frame/icons.ts'
import { projectPath } from '../src/platform/project/paths.ts'

/**
 * Tabler's classes, each with a selector for the elements of our pages that get the styles of the class. So pages
 * use plain elements, and only this file uses Tabler's class names.
 */
const components: Record<string, string> = {
  btn: 'button, .button',
  'btn-primary': ':is(button, .button):where(:not(.secondary, .danger))',
  'btn-danger': ':is(button, .button).danger',
  'form-control':
    'textarea, input:where(:not([type="checkbox"], [type="radio"], [type="hidden"], [type="range"]))',
  'form-select': 'select',
  'form-check-input': 'input:where([type="checkbox"], [type="radio"])',
  'is-invalid': '[aria-invalid="true"]',
  table: 'table',
  card: '.panel',
}
/**
 * Matches Tabler's selectors for pages that are always dark or always light. They are replaced, because our
 * pages follow the setting of the reader's system.
 */
const theme = (name: string) => new RegExp(`(?:html|body|:root)?\\[data-bs-theme=["']?${name}["']?\\]`, 'g')
const [dark, light] = [theme('dark'), theme('light')]

export async function makeStyles(): Promise<void> {
  const { resolve } = createRequire(import.meta.url)
  const folder = projectPath('dist', 'assets')
  await mkdir(folder, { recursive: true })
  const sheet = await readFile(resolve('@tabler/core/dist/css/tabler.css'), 'utf8')
  await writeFile(`${folder}/tabler.css`, await partsOf(sheet))
  const set = await readFile(resolve('@iconify-json/tabler/icons.json'), 'utf8')
  await writeFile(`${folder}/icons.svg`, spriteOf(JSON.parse(set) as IconSet))
}

/** The licence comment of a style sheet, and then only the rules of the sheet that our pages use. */
async function partsOf(sheet: string): Promise<string> {
  const root = postcss.parse(sheet)
  const licence = root.nodes.find((node) => node.type === 'comment')
  const rules: Rule[] = []
  root.walkAtRules(/^(font-face|charset|import|keyframes)$/, (rule) => void rule.remove())
  root.walkRules((rule) => void rules.push(rule))
  for (const rule of rules) keepUsed(rule)
  const { code } = await transform(root.toString(), { loader: 'css', minify: true, legalComments: 'none' })
  return `${licence?.toString() ?? ''}\n${code}`
}

/** Removes the selectors that no page uses, and moves selectors of the dark theme into a media query. */
function keepUsed(rule: Rule): void {
  const used = rule.selectors.map((selector) => asRoot(selector)).filter(({ selector }) => isUsed(selector))
  const selectorsOf = (kind: Theme) =>
    used.filter((one) => one.kind === kind).map(({ selector }) => asDrawn(selector))
  const [always, whenDark] = [selectorsOf('light'), selectorsOf('dark')]
  if (whenDark.length > 0) {
    // Prints are always light.
    const params = 'screen and (prefers-color-scheme: dark)'
    rule.after(postcss.atRule({ name: 'media', params, nodes: [rule.clone({ selectors: whenDark })] }))
  }
  if (always.length > 0) rule.selectors = always
  else rule.remove()
}

type Theme = 'light' | 'dark' | 'neither'

/**
 * A selector without its theme attribute, and the theme: `light` if it names none, `neither` if it names
 * both.
 */
function asRoot(selector: string): { selector: string; kind: Theme } {
  const isDark = selector.search(dark) >= 0
  const isLight = selector.search(light) >= 0
  const kind = isDark && isLight ? 'neither' : isDark ? 'dark' : 'light'
  return { selector: selector.replace(dark, ':root').replace(light, ':root'), kind }
}

function isUsed(selector: string): boolean {
  const wanted = selector.replace(/:not\([^)]*\)/g, '')
  const classes = [...wanted.matchAll(/\.(-?[_a-z][\w-]*)/gi)].map(([, name]) => name!)
  return !wanted.includes('data-bs-') && classes.every((name) => Object.hasOwn(components, name))
}

/** The selector, extended to our elements that get the styles of its components. */
function asDrawn(selector: string): string {
  return selector.replace(/\.(-?[_a-z][\w-]*)/gi, (token, name: string) =>
    Object.hasOwn(components, name) ? `:is(${token}, ${components[name]})` : token,
  )
}

type IconSet = { icons: Record<string, { body: string }> }

/** One SVG file with a symbol for each icon. Pages refer to the symbol's id. */
function spriteOf(set: IconSet): string {
  const symbols = Object.entries(icons).map(([name, drawing]) => {
    const found = set.icons[drawing]
    if (!found) throw new Error(`Tabler has no icon “${drawing}” (src/dashboard/frame/icons.ts).`)
    return `<symbol id="${name}" viewBox="0 0 24 24">${found.body}</symbol>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`
}

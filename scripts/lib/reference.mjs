/** The reference of settings and commands, from package.json and package.nls.json. */

/**
 * @typedef {{ type?: string | string[], enum?: unknown[], enumDescriptions?: string[], default?: unknown, scope?: string,
 *   anyOf?: Setting[], minimum?: number, maximum?: number, markdownDescription?: string, description?: string, order?: number,
 *   properties?: Record<string, Setting>, additionalProperties?: boolean | Setting }} Setting
 * @typedef {{ command: string, title: string }} Command
 * @typedef {{ command: string, key: string, mac?: string }} Keybinding
 */

/**
 * @param {any} manifest package.json
 * @param {Record<string, string>} words package.nls.json
 * @returns {string} Markdown
 */
export function referenceOf({ contributes }, words) {
  const say = (/** @type {string | undefined} */ text = '') =>
    text.replace(/^%(.+)%$/, (_, key) => words[key] ?? text);
  return `${[
    '# Settings and commands',
    '<!-- Written by npm run reference from package.json and package.nls.json. Change those. -->',
    '## Settings',
    'All settings with the scope `application` are read only from your user settings. A workspace can’t change them.',
    ...settingsOf(contributes.configuration.properties, say),
    '## Commands',
    'In the Command Palette, commands begin with “K3:”.',
    ...commandsOf(contributes, say),
  ].join('\n\n')}\n`;
}

/** @param {Record<string, Setting>} settings @param {(text?: string) => string} say */
function settingsOf(settings, say) {
  return Object.entries(settings)
    .sort(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0))
    .map(([name, setting]) =>
      [
        `### ${name}`,
        say(setting.markdownDescription ?? setting.description),
        `- Default: \`${JSON.stringify(setting.default)}\`\n- Values: ${valuesOf(setting, say)}\n- Scope: \`${setting.scope ?? 'window'}\``,
        ...fieldsOf(setting, say),
      ].join('\n\n'),
    );
}

/** @param {Setting} setting @param {(text?: string) => string} say */
function valuesOf({ type, enum: values, enumDescriptions, anyOf, minimum, maximum }, say) {
  if (anyOf !== undefined) {
    /** @type {string[]} */
    const each = anyOf.map((one) => valuesOf(one, say));
    return each.join(', or ');
  }
  if (values === undefined) {
    const limits = [
      ...(minimum === undefined ? [] : [`at least ${minimum}`]),
      ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ].join(', ');
    return `${[type].flat().join(' or ')}${limits === '' ? '' : `, ${limits}`}`;
  }
  return values
    .map((value, index) => {
      const meaning = say(enumDescriptions?.[index]);
      return `\`${JSON.stringify(value)}\`${meaning === '' ? '' : ` (${meaning.replace(/\.$/, '')})`}`;
    })
    .join(', ');
}

/** A table of the fields of an object, or of the objects in it. @param {Setting} setting @param {(text?: string) => string} say */
function fieldsOf({ properties, additionalProperties }, say) {
  const inner = typeof additionalProperties === 'object' ? additionalProperties.properties : undefined;
  const rows = rowsOf(properties ?? inner ?? {}, say, '');
  return rows.length === 0 ? [] : [['| field | values | description |', '|---|---|---|', ...rows].join('\n')];
}

/**
 * @param {Record<string, Setting>} fields @param {(text?: string) => string} say @param {string} before
 * @returns {string[]}
 */
function rowsOf(fields, say, before) {
  return Object.entries(fields).flatMap(([name, field]) => [
    `| \`${before}${name}\` | ${valuesOf(field, say)} | ${say(field.markdownDescription)} |`,
    ...rowsOf(field.properties ?? {}, say, `${before}${name}.`),
  ]);
}

/** @param {{ commands: Command[], keybindings: Keybinding[] }} contributes @param {(text?: string) => string} say */
function commandsOf({ commands, keybindings }, say) {
  const rows = commands.map(({ command, title }) => {
    const keys = keybindings
      .filter((one) => one.command === command)
      .map(({ key, mac }) => (mac === undefined ? keysOf(key) : `${keysOf(key)} (macOS: ${keysOf(mac)})`));
    // A key that is bound in several places is one key.
    return `| ${say(title)} | \`${command}\` | ${[...new Set(keys)].join(', ')} |`;
  });
  return [['| command | ID | keys |', '|---|---|---|', ...rows.sort()].join('\n')];
}

/** `ctrl+k q` as Ctrl+K Q. */
function keysOf(/** @type {string} */ key) {
  return key.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

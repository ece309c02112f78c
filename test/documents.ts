/** Workbooks and text documents for tests, made of the parts that a reader needs. */
import { zipSync } from 'fflate'

const encoder = new TextEncoder()
export const zipOf = (parts: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, encoder.encode(text)]))))

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const OFFICE = 'http://schemas.openxmlformats.org'
const RELS = `${OFFICE}/package/2006/relationships`
const MAIN = `${OFFICE}/spreadsheetml/2006/main`
const DOC_RELS = `${OFFICE}/officeDocument/2006/relationships`

/** in: sheets: XML of the rows of each; more: other parts, or other contents of these */
export function workbook(
  sheets: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Buffer {
  const names = Object.keys(sheets)
  return zipOf({
    '[Content_Types].xml': `${XML}<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${RELS}"><Relationship Id="r" Type="${DOC_RELS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${DOC_RELS}"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${RELS}">${names.map((_, at) => `<Relationship Id="s${at + 1}" Type="${DOC_RELS}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
    'xl/styles.xml': `${XML}<styleSheet xmlns="${MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  })
}

/** A row of texts; a cell that begins with "<" is XML of its own. */
export const rowOf = (number: number, ...cells: string[]): string =>
  `<row r="${number}">${cells.map((cell, at) => (cell.startsWith('<') ? cell : `<c r="${'ABCDEFG'[at]}${number}" t="inlineStr"><is><t>${cell}</t></is></c>`)).join('')}</row>`

/** in: body: XML of the paragraphs */
export const textDocument = (body: string): Buffer =>
  zipOf({
    '[Content_Types].xml': `${XML}<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${RELS}"><Relationship Id="r" Type="${DOC_RELS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `${XML}<w:document xmlns:w="${OFFICE}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  })
export const paragraph = (text: string): string => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

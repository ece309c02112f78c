/** The panel of a source: where it leads. */
import { expect, it } from 'vitest'
import type { HarmonyCitation } from '@/lib/protocols/harmony/citation'
import { openPage, screen } from '@/test/dom'
import CitationPanel from './CitationPanel'

const PATH = 'reports/2023.pdf'
const open = (sources: HarmonyCitation[], known: string[]) =>
  openPage(
    sources.map((one) => <CitationPanel key={one.source_name} source={one} name="a report" />),
    {
      prepare: (server) => server.answer('GET /api/files/known', { paths: known }),
    },
  )
const source = (more: Partial<HarmonyCitation>): HarmonyCitation => ({
  source_type: 'pdf_document',
  source_id: 'doc_1',
  source_name: PATH,
  ...more,
})

it('[R904] a source that is a file of the workspace opens at its page, with the place that is cited', async () => {
  await open([source({ location: { page_number: 42, bbox: [100, 200, 500, 600] } })], [PATH])
  const link = await screen.findByRole('link', { name: 'Open page 42' })
  expect(link.getAttribute('href')).toBe('/files/reports/2023.pdf?page=42&box=100%2C200%2C500%2C600')
})

it('[R904] a source without a page opens as a whole; one that its reader may not see is no link', async () => {
  const hidden = source({ source_name: 'hidden.pdf', location: { page_number: 2 } })
  await open([source({ source_name: 'whole.pdf' }), hidden], ['whole.pdf'])
  expect((await screen.findByRole('link', { name: 'Open the file' })).getAttribute('href')).toBe('/files/whole.pdf')
  expect(screen.getAllByRole('link')).toHaveLength(1)
})

/** The families of the gallery in their order, each a lazy file. */
import { type ComponentType, lazy } from 'react'

export const FAMILIES = {
  marks: lazy(() => import('./marks')),
  controls: lazy(() => import('./controls')),
  messages: lazy(() => import('./messages')),
  requests: lazy(() => import('./requests')),
  results: lazy(() => import('./results')),
  numbers: lazy(() => import('./numbers')),
  decisions: lazy(() => import('./decisions')),
  composing: lazy(() => import('./composing')),
  tables: lazy(() => import('./tables')),
  tree: lazy(() => import('./tree')),
  timeline: lazy(() => import('./timeline')),
  inbox: lazy(() => import('./inbox')),
  inspector: lazy(() => import('./inspector')),
  tools: lazy(() => import('./tools')),
  frame: lazy(() => import('./frame')),
  faces: lazy(() => import('./faces')),
  overlays: lazy(() => import('./overlays')),
} satisfies Record<string, ComponentType>

export type FamilyName = keyof typeof FAMILIES
export const FAMILY_NAMES: readonly FamilyName[] = [
  'marks',
  'controls',
  'messages',
  'requests',
  'results',
  'numbers',
  'decisions',
  'composing',
  'tables',
  'tree',
  'timeline',
  'inbox',
  'inspector',
  'tools',
  'frame',
  'faces',
  'overlays',
]

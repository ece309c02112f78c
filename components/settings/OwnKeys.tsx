import { type KeyboardEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { setDisplay, useDisplay } from '@/client/theme'
import { KeyChord } from '@/components/shell/keys/KeysTable'
import { chordOf } from '@/components/shell/keys/keyboard'
import { KEY_LIST, type OwnKeys as Own, ownChord, whyNot } from '@/components/shell/keys/keyList'
import { Button } from '@/components/ui/Button'
import { useKeep } from './Setting'

export function OwnKeysPart() {
  const t = useTranslations('settings')
  const names = useTranslations('keys')
  const own = useDisplay((display) => display.keys)
  const keep = useKeep()
  const [changing, setChanging] = useState<string | null>(null)
  const [problem, setProblem] = useState<{ chord: string; text: string } | null>(null)
  const put = (keys: Own): void => {
    setDisplay({ keys })
    keep({ keys: { ...keys } })
    setChanging(null)
    setProblem(null)
  }
  const set = (chord: string, to: string): void => {
    const { [chord]: _, ...others } = own
    put(to === chord ? others : { ...others, [chord]: to })
  }
  const onPress = (chord: string) => (event: KeyboardEvent) => {
    if (changing !== chord || event.key === 'Tab') return
    const pressed = chordOf(event)
    if (pressed === null) return
    event.preventDefault()
    event.stopPropagation()
    if (pressed === 'Escape') {
      setChanging(null)
      setProblem(null)
      return
    }
    const why = whyNot(pressed, chord, own)
    if (why === null) set(chord, pressed)
    else setProblem({ chord, text: why === 'unfit' ? t('keyUnfit') : t('keyTaken', { does: names(`all.${why}`) }) })
  }
  return (
    <>
      <table className="w-full border-collapse text-table">
        <thead>
          <tr className="text-left text-meta text-t3">
            <th className="w-24 border-b border-line py-1.5 pr-3 font-medium">{names('key')}</th>
            <th className="border-b border-line py-1.5 font-medium">{names('does')}</th>
            <th className="border-b border-line py-1.5 text-right font-medium">
              <span className="sr-only">{t('keyChange')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {KEY_LIST.map(({ chord, name }) => {
            const now = ownChord(chord, own)
            const does = names(`all.${name}`)
            return (
              <tr key={chord} data-kind="key" data-id={chord}>
                <td className="border-b border-line py-1 pr-3">
                  {now === '' ? <span className="text-t3">{t('keyOff')}</span> : <KeyChord chord={now} />}
                </td>
                <td className="border-b border-line py-1">
                  {does}
                  {problem?.chord === chord ? (
                    <span role="alert" className="block text-meta text-failed">
                      {problem.text}
                    </span>
                  ) : null}
                </td>
                <td className="border-b border-line py-1">
                  <span className="flex justify-end gap-1 whitespace-nowrap">
                    <Button
                      look="quiet"
                      aria-label={changing === chord ? t('keyPress') : t('keyChangeOf', { does })}
                      onKeyDown={onPress(chord)}
                      onBlur={() => setChanging(null)}
                      onClick={() => {
                        setProblem(null)
                        setChanging(chord)
                      }}
                    >
                      {changing === chord ? t('keyPress') : t('keyChange')}
                    </Button>
                    {now === chord ? (
                      <Button look="quiet" aria-label={t('keySwitchOffOf', { does })} onClick={() => set(chord, '')}>
                        {t('keySwitchOff')}
                      </Button>
                    ) : (
                      <Button look="quiet" aria-label={t('keyBackOf', { does })} onClick={() => set(chord, chord)}>
                        {t('keyBack')}
                      </Button>
                    )}
                  </span>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {Object.keys(own).length > 0 ? (
        <Button className="mt-3" onClick={() => put({})}>
          {t('keysReset')}
        </Button>
      ) : null}
    </>
  )
}

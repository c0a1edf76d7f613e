import { TextInput } from '@mantine/core'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isUuid } from '../../../../src/protocol/headers.ts'
import { Icon } from '../../components/icons.tsx'
import { isToLookUp } from '../../shell/look-up.ts'

/** Leads from a request ID in an error message to the request's story. */
export function RequestLookup() {
  const navigate = useNavigate()
  const { state } = useLocation()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isToLookUp(state)) field.current?.focus()
  }, [state])
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const id = text.trim()
    if (isUuid(id)) void navigate(`/requests/${id.toLowerCase()}`)
    else setWrong(id !== '')
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        ref={field}
        aria-label="Request ID"
        placeholder="Open a request by its ID"
        spellCheck={false}
        leftSection={<Icon name="search" size={15} />}
        value={text}
        error={isWrong ? 'A request ID must be a UUID.' : undefined}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setWrong(false)
        }}
      />
    </form>
  )
}

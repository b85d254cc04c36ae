// The page /docs: the viewer of the OpenAPI document, with the code samples of each operation.

const { classList } = document.documentElement
const dark = matchMedia('(prefers-color-scheme: dark)')
const useColors = () => classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', useColors)
useColors()

/** Shows the code samples of an operation above its responses. */
function codeSamples({ React }) {
  const { createElement: element, useRef, useState } = React
  /** The language that was chosen last, which operations that are opened later begin with. */
  let lastChosen

  function CodeSamples({ operation, samples }) {
    const [chosen, setChosen] = useState(lastChosen)
    const [result, setResult] = useState('')
    const code = useRef(null)
    const shown = samples.find(({ label }) => label === chosen) ?? samples[0]

    function choose(label) {
      lastChosen = label
      setChosen(label)
      setResult('')
    }
    async function copy() {
      getSelection().selectAllChildren(code.current)
      // Without https there is no clipboard API. The selected text can still be copied by hand.
      const isCopied = await navigator.clipboard?.writeText(shown.source).then(
        () => true,
        () => false,
      )
      setResult(isCopied ? 'Copied' : 'Selected: copy it with the keyboard')
    }
    const choice = ({ label }) =>
      element(
        'label',
        { key: label },
        element('input', {
          type: 'radio',
          name: `sample-of-${operation}`,
          checked: label === shown.label,
          onChange: () => choose(label),
        }),
        label,
      )

    return element(
      'div',
      { className: 'code-samples' },
      element(
        'fieldset',
        null,
        element('legend', null, 'Example request'),
        ...samples.map(choice),
        element(
          'button',
          {
            type: 'button',
            className: 'btn',
            'aria-label': `Copy the example for ${shown.label}`,
            onClick: copy,
          },
          'Copy',
        ),
        element('span', { role: 'status' }, result),
      ),
      // It can be scrolled, also with the keyboard.
      element(
        'pre',
        { tabIndex: 0, role: 'region', 'aria-label': `Example for ${shown.label}` },
        element('code', { ref: code }, shown.source),
      ),
    )
  }

  return {
    wrapComponents: {
      responses: (Responses) => (properties) => {
        const { path, method, specSelectors } = properties
        const described = specSelectors.specJson().getIn(['paths', path, method])
        const samples = described?.get('x-codeSamples')?.toJS()
        return element(
          React.Fragment,
          null,
          samples && element(CodeSamples, { operation: described.get('operationId'), samples }),
          element(Responses, properties),
        )
      },
    },
  }
}

SwaggerUIBundle({
  url: '/v2/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  validatorUrl: null,
  plugins: [codeSamples],
})

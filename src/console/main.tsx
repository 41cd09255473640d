/** The entry point of the console. Views are loaded on demand by `views.ts`. */
import { render } from 'preact'
import { App } from './shell/app.tsx'
import 'uplot/dist/uPlot.min.css'
import './styles/tokens.css'
import './styles/console.css'
import './styles/app.css'
import './views/overview/overview.css'
import './views/requests/requests.css'
import './views/discover/discover.css'
import './views/aggregations/aggregations.css'
import './views/indices/indices.css'
import './views/contexts/contexts.css'
import './views/pipelines/pipelines.css'
import './views/access/access.css'

render(<App />, document.getElementById('app')!)

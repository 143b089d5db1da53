import type { RequestHandler, Response, Router } from 'express';
import type { Child } from 'hono/jsx';
import swaggerUi from 'swagger-ui-express';
import { requestState } from '../http/request-state.js';
import { pageContextOf, type PageContext } from './page-context.js';
import { renderPage } from './page.js';
import { getPage, pageRouter } from './page-router.js';
import { asViewer } from './viewer.js';

/**
 * The policy for Swagger UI. Scripts and requests stay on this origin, and inline scripts are blocked. Inline styles
 * and `data:` images are allowed, because Swagger UI needs them for its layout and icons. The form is the one for
 * signing out.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The style sheets of the page. Other files in Swagger UI's folder are not served. */
const STYLE_SHEETS = ['swagger-ui.css'];
const SCRIPTS = ['swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'];
/** The script that tells Swagger UI which document to load. Each reference has its own. */
const START = 'swagger-ui-init.js';

/** An OpenAPI document and the options of its page. */
interface Reference {
  readonly title: 'title' | 'titleOfProject';
  /** Relative to the page, which may be that of one of several projects. */
  readonly document: string;
  /** The path to the files that both pages share, relative to this page. */
  readonly files: './' | '../';
  /** Whether to list the schemas. In the document of a project, they are what readers look for. */
  readonly hasSchemas: boolean;
}

const SERVICE: Reference = { title: 'title', document: '../openapi.json', files: './', hasSchemas: false };
const PROJECT: Reference = {
  title: 'titleOfProject',
  document: '../../api/v1/project/openapi.json',
  files: '../',
  hasSchemas: true,
};

function optionsOf({ document, hasSchemas }: Reference): swaggerUi.SwaggerUiOptions {
  return {
    swaggerUrl: document, // overrides `?url=`
    swaggerOptions: {
      validatorUrl: null, // otherwise the page would send the document to a public validator
      queryConfigEnabled: false,
      persistAuthorization: false,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      defaultModelsExpandDepth: hasSchemas ? 1 : 0,
      syntaxHighlight: { activated: false }, // colouring an answer of 900 kB would freeze the page for half a minute
    },
  };
}

/**
 * Serves the reference pages: Swagger UI in the frame of the other pages, with its files from this package. It shows
 * `/openapi.json` or, at `project/`, the document of the project, to readers who may see it. The pages ignore `?url=`
 * and `?configUrl=`, do not store authorization between visits, and send the document to no third party (HDR-02).
 *
 * @param callLimit limits requests for the project's page like calls of the API (RATE-01)
 */
export function createDocsRouter(callLimit: RequestHandler): Router {
  const docs = pageRouter();
  const project = pageRouter();
  docs.use((_request, response, next) => {
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    next();
  });
  docs.use('/project', project);

  getPage(docs, '/', atFolder, (request, response) =>
    sendReference(response, SERVICE, pageContextOf(request)),
  );
  const sendProject = asViewer((_viewer, request, response) =>
    sendReference(response, PROJECT, pageContextOf(request)),
  );
  getPage(project, '/', atFolder, callLimit, sendProject);

  for (const file of [...STYLE_SHEETS, ...SCRIPTS]) getPage(docs, `/${file}`, kept, ...filesOf(SERVICE));
  getPage(docs, `/${START}`, kept, ...filesOf(SERVICE));
  getPage(project, `/${START}`, kept, ...filesOf(PROJECT));
  return docs;
}

/**
 * Returns the handlers for the files of Swagger UI. Its `serve` would keep the settings in the module, shared by every
 * application of the process.
 */
function filesOf(reference: Reference): RequestHandler[] {
  return swaggerUi.serveFiles(undefined, optionsOf(reference));
}

function sendReference(response: Response, reference: Reference, context: PageContext): void {
  const { title, document, files } = reference;
  const page = renderPage({
    title: context.t.docs[title],
    context,
    isWide: true,
    lead: leadOf(reference, context),
    styleSheets: STYLE_SHEETS.map((file) => files + file),
    scripts: [...SCRIPTS.map((file) => files + file), `./${START}`],
    children: (
      <>
        <noscript>
          <p>{context.t.docs.needsScripts(document)}</p>
        </noscript>
        {/* What Swagger UI and the document say is in English. */}
        <div id="swagger-ui" class="reference" lang="en" />
      </>
    ),
  });
  response
    .vary('Accept-Language, Cookie')
    .setHeader('Content-Type', 'text/html; charset=utf-8')
    .setHeader('Content-Length', Buffer.byteLength(page))
    .end(page);
}

/** Returns the link to the other document, for readers who may open it. */
function leadOf(reference: Reference, { hasDashboard, t: { docs } }: PageContext): Child | undefined {
  if (reference === PROJECT)
    return (
      <>
        {docs.ofThisProject} <a href="../">{docs.toAnyProject}</a>
      </>
    );
  return hasDashboard ? (
    <>
      {docs.forAnyProject} <a href="./project/">{docs.toThisProject}</a>
    </>
  ) : undefined;
}

/** Redirects `/docs` to `/docs/`, because the page references its files by relative paths. */
const atFolder: RequestHandler = (request, response, next) => {
  const [path = '', query] = request.originalUrl.split('?');
  if (path.endsWith('/')) next();
  else
    response.redirect(
      308,
      `${request.baseUrl.slice(requestState(request).base.length)}/${query === undefined ? '' : `?${query}`}`,
    );
};

/** Lets browsers cache a file, but revalidate it with its ETag. */
const kept: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-cache');
  next();
};

/** The code that is loaded when a request or the report is shown for the first time. */
export { copyDiagnostics } from './diagnosticsReport.ts';
export { createNextRequest } from './nextRequest.ts';

/** The code that is loaded with the first command on routes or keys, or the first check. */
export { addRoute } from './addRoute.ts';
export { checkConnection } from './connectionCheck.ts';
export { editRoutes } from './editRoutes.ts';
export { setTestedKey } from './keyTest.ts';

export declare function claimProfile(
  parent: string,
  name: string,
): { readonly folder: string; readonly release: () => void };

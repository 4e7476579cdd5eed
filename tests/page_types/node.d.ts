// What the verifier uses of Node when it is run there, which is not what is checked here.

declare module "node:*";
declare const process: any;

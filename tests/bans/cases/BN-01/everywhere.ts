EXPECT: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 20 23 24 25 26 27 28 30 31 32 33 35 37
export const a: any = 1;
export type R = Record<string, any>;
export const c = (y: unknown) => y as any;
export let d: any[] = [];
export let e: Array<any>, e2: number;
export function f(x: any, ...rest: any[]): any { return x ?? rest; }
export type F = (x: string) => any;
export type G = new () => any;
export type H<T = any> = T;
export type I<T extends any> = T;
export type J = string | any;
export type K = any | string;
export type L = [any, string?];
export type M = { [key: string]: any };
export type N = keyof any;
export type O = readonly any[];
export const p = <any>window;
export const q = (x: unknown): x is any => true;
export type R2 =
  any;
export class S {
  constructor(
    private readonly x: any,
    public y?: any) {}
  z: any;
  get w(): any { return this.z; }
  [key: string]: any;
  method<T = any>(): Promise<any> { return null!; }
}
export abstract class U<T> extends Map<string, any> implements V<any> { abstract m(): any }
export type W = T extends any ? 1 : any;
export type X = T extends string ? any : never;
export const y = { z: 1 as any, w: <T,>(x: T): any => x };
export interface Z {
  (x: number): any
  new
    (x: any): Z;
}

import { validateHeaderValue } from 'node:http';
import { typed, type Expectation } from '../config/expectation';

/** An option that is the value of a header. */
export function fieldValue(name: string, fix: string): Expectation {
  const isValid = (value: unknown): boolean => {
    if (typeof value !== 'string' || value.trim() === '') return false;
    try {
      validateHeaderValue(name, value);
      return true;
    } catch {
      return false;
    }
  };
  return typed(isValid, fix, 'is not a valid header value');
}

import { applyRecipe } from '../json/recipe';
import { toJson } from './as-json';
import type { Resource } from './connection/resource-cache';
import { ArgumentError } from './errors';

/**
 * What a recipe makes of a resource, as JSON.
 *
 * @throws ArgumentError for what is not a function: callers in JavaScript can pass anything, such as the
 *   members to change
 */
export function decideBy(recipe: unknown): (current: Resource) => unknown {
  if (!isRecipe(recipe)) throw recipeInvalid('The recipe of change() must be a function of the draft.');
  return ({ value }) => toJson(applyRecipe(value, recipe, recipeInvalid)).value;
}

function isRecipe(value: unknown): value is (draft: unknown) => unknown {
  return typeof value === 'function';
}

function recipeInvalid(message: string): ArgumentError {
  return new ArgumentError('recipe-invalid', message);
}

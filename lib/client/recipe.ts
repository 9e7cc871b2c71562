import { applyRecipe, checkRecipe } from '../json/recipe';
import { copyAsJson } from './as-json';
import type { Resource } from './connection/resource-cache';
import { ArgumentError } from './errors';

/**
 * What a recipe makes of a resource, as JSON.
 *
 * @throws ArgumentError for what is not a function
 */
export function decideBy(recipe: unknown): (current: Resource) => unknown {
  checkRecipe(recipe, recipeInvalid);
  return ({ value }) => copyAsJson(applyRecipe(value, recipe, recipeInvalid));
}

function recipeInvalid(message: string): ArgumentError {
  return new ArgumentError('recipe-invalid', message);
}

/**
 * Options of the search. VitePress writes the function into the page as text, so it must not use anything from outside.
 * The guide comes before the reference, the figures and the changelog; and some words mean one section more than any other.
 */
export const searchOptions = {
  boostDocument: (id, term) => {
    if (/\/(?:api|bench|changelog)\b/.test(id)) return 0.2;
    const sections = {
      upsert: '/patch#create',
      owner: '/security#only-the-owner',
      version: '/rows#version',
      lost: '/patch#when-both-changes-are-kept',
      partial: '/patch#patch',
    };
    return Object.hasOwn(sections, term) && id.endsWith(sections[term]) ? 10 : 1;
  },
};

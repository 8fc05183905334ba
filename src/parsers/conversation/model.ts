import { isObject, type JsonObject } from '../../evidence/json.js';

/**
 * The model of a conversation as a whole: `model_info` (since 1.14.0), or the older `model`. It is the state at the time of
 * saving, so it serves only where no request names a model.
 */
export function modelInfo(members: JsonObject): { readonly id: string; readonly source: string } | undefined {
  const { model_info, model } = members;
  if (isObject(model_info) && typeof model_info.model_id === 'string' && model_info.model_id !== '')
    return { id: model_info.model_id, source: 'model_info' };
  return typeof model === 'string' && model !== '' ? { id: model, source: 'model' } : undefined;
}

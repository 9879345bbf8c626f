"""Chat-completions servers named by their address, with what inspect_ai's provider lacks."""

from __future__ import annotations

from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    ContentVideo,
    GenerateConfig,
    ModelAPI,
    modelapi,
)
from inspect_ai.model._providers.openai_compatible import OpenAICompatibleAPI
from openai.types.chat import ChatCompletionMessageParam


class ChatAPI(OpenAICompatibleAPI):
    """Sends whole videos as ``video_url`` parts, the form that vLLM and others understand."""

    def service_model_name(self) -> str:
        """The name as given: nothing in it is a service's prefix."""
        return self.model_name

    async def messages_to_openai(
        self,
        input: list[ChatMessage],  # noqa: A002
    ) -> list[ChatCompletionMessageParam]:
        """As the provider makes them, with a part for each video."""
        out: list[Any] = []
        for message in input:
            content = message.content
            if not isinstance(message, ChatMessageUser) or isinstance(content, str):
                out += await super().messages_to_openai([message])
                continue
            parts: list[Any] = []
            for part in content:
                if isinstance(part, ContentVideo):
                    parts.append({"type": "video_url", "video_url": {"url": part.video}})
                else:
                    single = ChatMessageUser(content=[part])
                    (made,) = await super().messages_to_openai([single])
                    parts += _parts(made)
            out.append({"role": "user", "content": parts})
        return out


def _parts(message: Any) -> list[Any]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


# An instance made through the registered name carries that name, which Inspect asks for.
_registered: Any = modelapi("chat-server")(ChatAPI)


def chat_api(model: str, url: str, key: str, config: GenerateConfig) -> ModelAPI:
    """A server's API; the client makes one try only, so that tries are counted in one place."""
    made: ModelAPI = _registered(
        model_name=model,
        base_url=url,
        api_key=key,
        service="server",
        config=config,
        max_retries=0,
    )
    return made
